// function: wait_for
// `push` has another meaning here, so all assembly of the file is ignored. What it could write is not known to stay.
static unsigned ticks;

void save(void) { __asm volatile("push {r4, r5}"); }

int wait_for(void)
{
    unsigned before = ticks, value = 0;
    __asm volatile("ldr %0, [%1]" : "+r"(value) : "r"(&ticks) : "memory");
    if (value) // expect branch(true): unknown
        return 1;
    if (ticks != before) // expect branch(true): unknown
        return 2;
    return 0;
}
