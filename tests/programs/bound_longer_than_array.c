// function: claims
// A length may be larger than the array that we give.
int claims(const int *values, unsigned count)
{
    if (count > 100) {
        if (values[99] == 5 && values[0] == 5)  // expect branch#1(true): unknown; branch#2: unknown
            return 1;
        return 2;
    }
    return 0;
}
