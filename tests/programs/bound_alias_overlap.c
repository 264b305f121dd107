// function: shift
// Pointers may lead to the same array, with a distance.
int shift(char *to, const char *from)
{
    to[1] = 'x';
    if (from[0] == 'x' && from[1] == 'y' && to[2] == 'x')
        return 1;
    to[0] = 1;
    if (from[0] == 1)  // expect branch: covered
        return 2;
    from[0] == 'x' ? to[3]++ : 0;
    return 0;
}
