// function: over
// Without --check, what gcc -O0 computes: numbers wrap around, the amount of a shift is masked.
int over(int a, int b)
{
    if (a > 0 && a + 1 < 0)  // expect branch: covered
        return 1;
    if (b == 33 && 1 << b == 2)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): infeasible
        return 2;
    return 0;
}
