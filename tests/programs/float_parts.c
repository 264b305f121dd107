// function: parts
#include <math.h>

int parts(double x, double y)
{
    int exponent;
    double whole, fraction = frexp(x, &exponent);
    if (exponent == 7 && fraction == 0.75)  // expect branch: covered
        return 1;
    if (modf(y, &whole) == 0.125 && whole == 3)  // expect branch: covered
        return 2;
    if (ldexp(x, 3) == 20)  // expect branch: covered
        return 3;
    if (copysign(1, y) < 0)  // expect branch: covered
        return 4;
    if (fabs(fraction) >= 1 && isfinite(x))  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 5;
    return 0;
}
