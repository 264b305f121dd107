// domain: a=-4..4 b=0..3
// assume: a >= -4 && a <= 4 && b <= 3
/* Floating point: a filter with a state, comparisons with NaN. */
#include <math.h>
#define GAIN 0.5
static double state;
static double filter(double x)
{
    state = state + GAIN * (x - state);
    return state;
}
int f(signed char a, unsigned char b)
{
    state = 0.0;
    double y = filter(a), z;
    for (int i = 0; i < b; i++)
        y = filter(y * 2.0f);
    z = y / b;
    if (z != z)
        return 1;
    if (z > 1.0 && y < 4.0)
        return 2;
    if (isinf(z))
        return 3;
    return (int)(y * 4) == a || (float)z == 0.25f;
}
