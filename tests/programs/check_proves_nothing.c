// function: over
// options: --check overflow
// A run that fails a check ends there: what lies behind it is neither covered by that run nor refuted.
// expect outcome: crashed
int over(int a)
{
    int next = a + 1;  // expect outcome(signed overflow): crashed
    if (next < -2147483647)  // expect branch(true): unknown; branch(false): covered
        return 1;
    if (next > 7)  // expect branch: covered
        return 2;
    return 0;
}
