// function: run
// options: --max-runs 2000
/* A loop of 20 over a plain pointer: the count is read from the code, so runs do not end at the ninth element. */
enum { IDLE, ARMED, FIRED, DONE };

int run(const int *ev)
{
    int state = IDLE, count = 0, i;
    for (i = 0; i < 20; i++) {                          // expect branch: covered
        switch (state) {
        case IDLE:
            if (ev[i] == 1)
                state = ARMED;
            break;
        case ARMED:
            if (ev[i] == 2) {
                state = FIRED;
                count++;
            } else if (ev[i] == 3)
                state = IDLE;
            break;
        case FIRED:
            if (ev[i] == 4 && count > 2)
                state = DONE;
            else if (ev[i] == 5)
                state = IDLE;
            break;
        default:
            if (ev[i] == 9 && i > 12)                   // expect mcdc: covered
                return count;
        }
    }
    return state == DONE ? count : -count;
}
