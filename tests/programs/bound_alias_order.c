// function: is_before
int is_before(const int *a, const int *b, int n)
{
    if (n)  // expect branch: covered
        return -1;
    if (b - a == 3)  // expect branch(true): unknown; branch(false): covered
        return 2;
    return 0;
}
