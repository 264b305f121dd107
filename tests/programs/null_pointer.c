// function: read_or
// A pointer is NULL in one test and leads to an object in others.
int read_or(const int *value, int other)
{
    if (!value)  // expect branch: covered
        return other;
    if (*value > 1000)
        return 1000;
    return *value;
}
