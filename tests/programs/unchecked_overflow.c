// function: over
// Without --check, numbers wrap around; but nothing rests on the result of an undefined shift.
int over(int a, int b)
{
    if (a > 0 && a + 1 < 0)  // expect branch: covered
        return 1;
    if (b == 33 && 1 << b == 2)  // expect branch#1(true): unknown; branch#2(true): unknown; branch#2(false): infeasible
        return 2;
    return 0;
}
