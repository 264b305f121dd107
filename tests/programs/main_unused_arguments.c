// function: main
// expect outcome: returned
extern unsigned __VERIFIER_nondet_uint(void);

int main(int argc, char *argv[], char **environment)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x % 2 == 0 && x % 4 == 3)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 1;
    return 0;
}
