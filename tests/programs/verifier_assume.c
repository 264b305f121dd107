// function: main
// expect outcome: returned
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    __VERIFIER_assume(f >= 0.0f);
    if (f < 0.0f)  // expect branch(true): infeasible; branch(false): covered
        return 1;
    if (f > 3.25f && f < 3.5f && d == 0.1)  // expect branch: covered
        return 2;
    return d != d;
}
