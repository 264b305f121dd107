// function: main
// options: --whole-program
// expect outcome: crashed
// expect outcome: returned
extern int __VERIFIER_nondet_int();
extern void reach_error(void);  /* without a body: it ends the program */

static int state = 1;

static void step(int input)
{
    if (state == 1 && input == 3)  // expect branch: covered
        state = 2;
    else if (state == 2 && input == 5)  // expect branch: covered
        state = 3;
    else if (state == 3 && input == 1)  // expect branch: covered
        reach_error();
}

int main(void)
{
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input != 1 && input != 3 && input != 5)  // expect branch: covered
            return 2;
        step(input);
    }
}
