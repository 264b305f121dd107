// function: copy
/* tightrope: from = same-as to; to = not-null, array 2 */
int copy(int *to, const int *from)
{
    if (to != from) // expect branch(true): unknown
        return 1;
    to[0] = 5;
    if (from[0] != 5) // expect branch(true): unknown
        return 2;
    if (from[1] == 7)
        return 3;
    return 0;
}
