/* A burner in STEPS steps. An event is what the panel or a sensor reports: 1 to 9 how much heat is wanted, 10 the flame
 * is seen, 11 it is gone, 12 stop, 13 the key that clears a fault; from 100 on a temperature in degrees plus 100; below
 * zero a sensor that fails. */

#ifndef STEPS
#define STEPS 6
#endif

enum state { IDLE, ARMED, RUN, DONE, FAULT };

int controller(const int events[STEPS])
{
    enum state state = IDLE;
    int wanted = 0, tries = 0, heat = 0;
    for (int step = 0; step < STEPS; step++) {
        int event = events[step];
        if (state == IDLE) {
            if (event >= 1 && event <= 9) {
                wanted = event;
                state = ARMED;
            } else if (event < 0 || event == 11) { /* a flame that goes out was burning unasked */
                state = FAULT;
            }
        } else if (state == ARMED) {
            if (event == 10) {
                state = RUN;
                heat = 1;
            } else if (event == 11 && tries < 2) {
                tries++;
            } else if (event == 11 || (event < 0 && wanted > 4)) {
                state = FAULT;
            } else if (event == 12) {
                state = IDLE;
                wanted = 0;
            }
        } else if (state == RUN) {
            if (event == 12 || (event > 100 && event - 100 > 60 + 4 * wanted)) {
                state = DONE;
            } else if (event == heat && heat < wanted) {
                heat++;
            } else if (event == 11) {
                tries++;
                state = ARMED;
            }
            if (tries > 2 || heat > 8)
                state = FAULT;
        } else if (state == FAULT) {
            if (event == 13 && (tries == 0 || heat < 3)) {
                state = IDLE;
                tries = 0;
            }
        }
    }
    return state * 100 + heat * 10 + tries;
}
