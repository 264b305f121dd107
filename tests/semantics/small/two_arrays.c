// assume: a[0] < 3 && a[1] < 3 && b[0] < 3 && b[1] < 3
// input: a=not-null, array 2
// input: b=not-null, array 2
// domain: a[0]=0..2 a[1]=0..2 b[0]=0..2 b[1]=0..2
// unknown: shape
int f(const unsigned char *a, const unsigned char *b)
{
    int same = 0, more = 0;
    for (int i = 0; i < 2; i++)
        if (a[i] == b[i])
            same++;
        else if (a[i] > b[i])
            more++;
    if (same + more > 2)
        return 1;
    if (more == 2 && a[0] + a[1] == 2)
        return 2;
    return same == 1 && more == 1;
}
