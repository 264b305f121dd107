// function: inner
// A pointer to a member of what the other pointer leads to.
struct box { int low; int high; };
int inner(struct box *box, int *part)
{
    box->high = 1;
    *part = 2;
    if (box->high == 2)  // expect branch(true): unknown
        return 1;
    return 0;
}
