// function: clamp
// `x >= hi` returns hi if x is hi, and so does the function. `x <= lo` is another function if lo > hi.
int clamp(int x, int lo, int hi)
{
    if (x < lo)
        return lo;
    if (x > hi)       // expect mutation#3(ror): infeasible
        return hi;
    return x;
}
