// function: f
// A loop that does nothing and never ends is how much embedded C writes an assertion. A run ends there at once; it
// counts as one that does not end, so what only such runs do stays unknown, and what comes behind is exact.
// expect outcome: timed_out
#define ASSERT(x) if (!(x)) { for (;;); }

int f(int n, int m)
{
    ASSERT(n < 10)              // expect branch(false): unknown; branch(true): covered
    if (n > 20)                 // expect branch(true): infeasible
        return 3;
    if (n == 5 && m > 7)        // expect branch: covered
        return 2;
    if (m == 1234)              // expect branch(true): unknown
        while (1) { }
    if (m == 1234)              // expect branch(true): infeasible
        return 4;
    return 0;
}
