// function: lookup
// Of a long array only the first elements are inputs, whether the function has pointers or not.
int table[100];
int lookup(unsigned at)
{
    if (at < 90 || at >= 100)  // expect branch: covered
        return 0;
    if (table[at] > 5)  // expect branch(true): unknown
        return 1;
    return 2;
}
