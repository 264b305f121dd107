// function: classify
// Assembly of another processor in one function does not concern the others, whatever it does.
__attribute__((unused)) static void wait_for_interrupt(unsigned *at)
{
    __asm volatile("wfi" ::: "memory");
    __asm volatile("strex %0, %1, [%2]" : "=r"(*at) : "r"(7), "r"(at) : "memory");
}

int classify(int a, int b)
{
    if (a > 3 && b < 2)     // expect branch: covered; mcdc: covered
        return 1;
    return 0;
}
