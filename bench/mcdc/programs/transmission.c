/* An automatic gearbox: which gear, from speed, torque and what the driver selects; a table of limits with hysteresis. */

#include <stdbool.h>

enum selector { PARK, REVERSE, NEUTRAL, DRIVE, MANUAL };

static const int up[] = {0, 18, 36, 60, 92, 1000}, down[] = {0, 0, 12, 28, 48, 76};

struct gearbox {
    enum selector selector;
    int gear; /* -1 reverse, 0 neutral, 1 to 5 */
    int oil;  /* degrees */
    bool locked;
};

int shift(struct gearbox *box, enum selector wanted, int speed, int pedal, bool brake, int paddle)
{
    bool standing = speed > -2 && speed < 2;
    if (wanted != box->selector) {
        if (wanted == PARK && !standing)
            return -1;
        if (box->selector == PARK && !(brake && standing))
            return -2;
        if (wanted == REVERSE && (speed > 4 || (speed > 0 && !brake)))
            return -3;
        box->selector = wanted;
    }
    box->locked = box->selector == PARK;
    if (box->selector == PARK || box->selector == NEUTRAL)
        return box->gear = 0;
    if (box->selector == REVERSE)
        return box->gear = -1;
    if (box->gear < 1 || box->gear > 5)
        return box->gear = 1;
    int shifted = box->oil < 0 ? speed * 4 / 5 : speed;
    if (box->selector == MANUAL && paddle != 0) {
        if (paddle > 0 && box->gear < 5 && shifted > down[box->gear + 1])
            box->gear++;
        else if (paddle < 0 && box->gear > 1 && shifted < up[box->gear])
            box->gear--;
        return box->gear;
    }
    int kick = pedal > 90 && box->oil < 130 ? 15 : 0;
    if (shifted > up[box->gear] + kick && box->gear < 5)
        box->gear++;
    else if (shifted < down[box->gear] + kick && box->gear > 1)
        box->gear--;
    return box->gear;
}
