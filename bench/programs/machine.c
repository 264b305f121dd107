/* A lift door in six steps. An event is a number: 0 nothing happens, 1 to 5 a call from that floor,
 * 10 the door is shut, 11 an obstacle, 20 and 21 the keys; above 100 a weight in kilograms plus 100. */

enum state { WAITING, MOVING, OPEN, CLOSING, BLOCKED };

int machine(const int events[6])
{
    enum state state = WAITING;
    int floor = 1, wanted = 0, obstacles = 0;
    for (int i = 0; i < 6; i++) {
        int event = events[i];
        switch (state) {
        case WAITING:
            if (event >= 1 && event <= 5) {
                wanted = event;
                state = wanted == floor ? OPEN : MOVING;
            } else if (event == 20 || event == 21) {
                state = BLOCKED;
            }
            break;
        case MOVING:
            if (event == 0) {
                floor += wanted > floor ? 1 : -1;
                if (floor == wanted)
                    state = OPEN;
            } else if (event < 0) {
                state = BLOCKED;
            }
            break;
        case OPEN:
            if (event > 100 && event - 100 > 630)
                obstacles++;
            else if (event == 0 || event == 10)
                state = CLOSING;
            break;
        case CLOSING:
            if (event == 11 && obstacles < 2) {
                obstacles++;
                state = OPEN;
            } else if (event == 11) {
                state = BLOCKED;
            } else if (event == 10) {
                state = WAITING;
                obstacles = 0;
            }
            break;
        case BLOCKED:
            if (event == 20 && obstacles < 3)
                state = WAITING;
            break;
        }
    }
    return state * 10 + floor;
}
