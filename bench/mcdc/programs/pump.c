/* A fuel pump that asks its hardware, which is not part of this file: sensors, a switch, time. */

#include <stdbool.h>

int read_level(int tank); /* per cent, negative: broken */
int read_flow(void);
bool is_valve_open(int valve);
void set_pump(int tank, bool on);

static int next_tank(int tank)
{
    return tank == 0 ? 1 : 0;
}

/* The tank that is used then, or what is wrong. */
int choose_tank(int tank, int demand)
{
    if (tank < 0 || tank > 1)
        return -1;
    for (int tries = 0; tries < 2; tries++) {
        int level = read_level(tank);
        if (level >= 5 && level <= 100 && is_valve_open(tank)) {
            set_pump(tank, true);
            int flow = read_flow();
            if (flow >= demand || (flow > 0 && flow * 10 > demand * 8 && level > 50))
                return tank;
            set_pump(tank, false);
        } else if (level < 0 && !is_valve_open(tank) && demand > 0) {
            return -2;
        }
        tank = next_tank(tank);
    }
    return -3;
}
