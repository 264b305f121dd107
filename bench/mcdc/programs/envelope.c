/* Flight envelope protection: limits in real numbers. Products, quotients and comparisons of doubles. */

#include <stdbool.h>

enum protection { FREE, LIMIT_BANK, LIMIT_PITCH, LIMIT_SPEED, RECOVER };

enum protection protect(double speed, double load, double bank, double pitch, double weight, bool flaps)
{
    if (!(weight > 1000.0 && weight < 90000.0) || !(speed >= 0.0 && speed < 600.0))
        return FREE;
    double stall = (flaps ? 1.1 : 1.4) * (40.0 + weight / 1000.0);
    double margin = speed - stall * (load > 1.0 ? load * 0.5 + 0.5 : 1.0);
    if (margin < 0.0 && (pitch > -5.0 || load > 1.2))
        return RECOVER;
    if (speed > 350.0 || (flaps && speed > 200.0) || (speed > 320.0 && pitch < -15.0))
        return LIMIT_SPEED;
    if (bank > 67.0 || bank < -67.0 || ((bank > 33.0 || bank < -33.0) && margin < 10.0))
        return LIMIT_BANK;
    if ((pitch > 30.0 && !(flaps && pitch < 33.0)) || pitch < -20.0)
        return LIMIT_PITCH;
    return FREE;
}
