// function: is_above
// A constant of another file, which tests set: also an optimiser must not read it before.
extern const unsigned short limit;

int is_above(unsigned short x)
{
    if (x > limit) // expect branch: covered
        return 1;
    return 0;
}
