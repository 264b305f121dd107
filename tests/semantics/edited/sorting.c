// input: v=not-null, array 3
// domain: v[0]=-1..2 v[1]=-1..2 v[2]=-1..2
// assume: v[0] >= -1 && v[0] <= 2 && v[1] >= -1 && v[1] <= 2 && v[2] >= -1 && v[2] <= 2
// unknown: shape
/* The library calls us back. */
#include <stdlib.h>
static int compared;
static int compare(const void *x, const void *y)
{
    int left = *(const int *)x, right = *(const int *)y;
    compared++;
    return left < right ? -1 : left > right;
}
int f(int *v)
{
    int copy[3];
    compared = 0;
    for (int i = 0; i < 3; i++)
        copy[i] = v[i];
    qsort(copy, 3, sizeof *copy, compare);
    if (copy[0] == copy[2])
        return 1;
    if (compared > 2 && copy[1] == 0)
        return 2;
    return copy[0] < 0 && v[2] == copy[1];
}
