// function: late
// options: --input p=one
// expect outcome: crashed
// What ends at the end of an object that a caller may make larger proves nothing, however many crashes came before.
#include <stdlib.h>

int late(const int *p, int k, int a)
{
    int v = a & 1;
    switch (k) {  // expect branch: covered
    case 1: abort();
    case 2: abort();
    case 3: abort();
    case 4: abort();
    case 5: abort();
    case 6: abort();
    case 7: abort();
    case 8: abort();
    case 9: abort();
    case 10: abort();
    case 11: abort();
    case 12: abort();
    case 13: abort();
    case 14: abort();
    case 15: abort();
    case 16: abort();
    case 17: abort();
    case 18: abort();
    case 19: abort();
    case 20: abort();
    case 21: abort();
    case 22: abort();
    case 23: abort();
    }
    if (k == 50)  // expect branch(true): unknown; branch(false): covered
        v = p[1];
    if (v > 5)  // expect branch(true): unknown; branch(false): covered
        return 7;
    return 0;
}
