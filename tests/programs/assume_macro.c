// function: average
#include <tightrope.h>

int average(const short values[3], int count)
{
    TIGHTROPE_ASSUME(count >= 1);
    TIGHTROPE_ASSUME(count <= 3);
    int sum = 0;
    for (int i = 0; i < count; i++)  // expect branch: covered
        sum += values[i];
    if (count == 0)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    if (sum / count == 100)  // expect branch: covered
        return 1;
    return 0;
}
