// function: main
// options: --input 'nondet = array 4' --max-runs 60
// expect outcome: exited
extern unsigned __VERIFIER_nondet_uint(void);

/* It draws without end: behind the last input come zeros, and at last nothing more. Nothing is proved by that. */
int main(void)
{
    unsigned sum = 0;
    for (;;) {
        unsigned x = __VERIFIER_nondet_uint();
        sum += x & 1;
        if (sum == 3)  // expect branch: covered
            sum = 4;
        if (sum == 99)  // expect branch(true): unknown; branch(false): covered
            return 1;
    }
}
