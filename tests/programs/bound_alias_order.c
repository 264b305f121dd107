// function: is_before
int is_before(const int *a, const int *b)
{
    if (b - a == 3)  // expect branch(true): unknown
        return 2;
    return 0;
}
