// function: find
// options: --index-limit 4
// An index into more elements than the limit is pinned: other values are tried one by one.
static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

int find(unsigned i)
{
    if (i > 15)  // expect branch: covered
        return -1;
    if (squares[i] == 121)  // expect branch: covered
        return 1;
    if (squares[i] == 3)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    return 0;
}
