// function: f
// options: --engine encoding
/* The table has too many elements to be looked at all at once. That concerns the label, and nothing behind it. */
static const int big[5000] = {[7] = 3, [4000] = 9};

int f(unsigned i, int x)
{
    if (i >= 5000) // expect branch: covered
        return -1;
    if (x > 5) // expect branch: covered
        pc_label(big[i] == 9, 1); // expect label: unknown
    if (x == 77) // expect branch: covered
        return 3;
    return x;
}
