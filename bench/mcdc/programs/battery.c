/* A monitor of battery cells: voltages in millivolts, temperatures in tenths of a degree, a current. Loops over arrays
 * and decisions about what they found. */

#include <stdbool.h>

enum { CELLS = 6, SENSORS = 2 };

enum action { ALLOW, LIMIT, BALANCE, OPEN_CONTACTOR };

enum action check_battery(const int millivolts[CELLS], const int temperature[SENSORS], int current, bool charging)
{
    int lowest = millivolts[0], highest = millivolts[0], broken = 0;
    for (int i = 0; i < CELLS; i++) {
        if (millivolts[i] <= 0 || millivolts[i] > 5000)
            broken++;
        if (millivolts[i] < lowest)
            lowest = millivolts[i];
        if (millivolts[i] > highest)
            highest = millivolts[i];
    }
    if (broken > 1 || (broken == 1 && charging))
        return OPEN_CONTACTOR;

    bool hot = false, cold = true;
    for (int i = 0; i < SENSORS; i++) {
        hot = hot || temperature[i] > 600;
        cold = cold && temperature[i] < 0;
    }
    if (hot && (current > 100000 || current < -50000))
        return OPEN_CONTACTOR;
    if ((charging && highest > 4250) || (!charging && lowest < 2500 && broken == 0))
        return OPEN_CONTACTOR;
    if (hot || (charging && cold && current > 2000))
        return LIMIT;
    if (charging && highest - lowest > 50 && lowest > 3400)
        return BALANCE;
    return ALLOW;
}
