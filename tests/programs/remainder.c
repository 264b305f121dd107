// function: turned
#include <math.h>

/* Quotients up to 15 are followed exactly. */
int turned(float angle)
{
    if (!(angle > -3000 && angle < 3000))  // expect branch: covered
        return -1;
    float rest = fmodf(angle, 360);
    if (rest == 90 && angle > 1000)  // expect branch: covered
        return 1;
    if (rest == -45)  // expect branch: covered
        return 2;
    if (rest >= 360)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    return 0;
}
