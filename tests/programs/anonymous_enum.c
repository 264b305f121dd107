// function: step
typedef enum { IDLE = 1, RUNNING = 4, DONE = 9 } state;
struct machine { enum { ON, OFF } power; state state; };
state step(const struct machine *machine, state wanted)
{
    if (machine->power == OFF)  // expect branch: covered
        return IDLE;
    switch (wanted) {  // expect branch(default): infeasible
    case IDLE: return RUNNING;
    case RUNNING: return machine->state == DONE ? DONE : IDLE;
    case DONE: return DONE;
    }
    return 0;
}
