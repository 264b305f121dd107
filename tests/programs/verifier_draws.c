// function: main
// expect outcome: returned
// expect outcome: crashed
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar();
extern _Bool __VERIFIER_nondet_bool(void);
extern long long __VERIFIER_nondet_longlong(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int limit = 3;  /* main starts with it: no input */

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    if (x > 100 && c == 'q')  // expect branch: covered
        reach_error();
    if (limit != 3)  // expect branch(true): infeasible; branch(false): covered
        return 9;
    if (x % 2 == 0 && x % 4 == 1)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 1;
    for (int i = 0; i < limit; i++)  // expect branch: covered
        if (__VERIFIER_nondet_int() == 1000 + i)  // expect branch: covered
            return 2;
    if (__VERIFIER_nondet_bool())  // expect branch: covered
        return __VERIFIER_nondet_longlong() < -5000000000 ? 3 : 4;  // expect branch: covered
    return 0;
}
