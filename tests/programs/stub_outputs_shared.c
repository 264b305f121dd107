// function: step
// Objects that others see, too: a call may write their numbers, or leave them as they are. Nothing is proved by that.
struct port { int state; struct port *next; int (*read)(int); unsigned char data[2]; };

extern void enable(struct port *port);
extern int fetch(int *level);

int step(struct port *port, int *level)
{
    if (port->state == 5) { // expect branch: covered
        enable(port);
        if (port->state == 6)
            return 1;
        if (port->state == 5 && port->data[1] == 9)
            return 2;
    }
    if (level == 0)
        return 3;
    if (*level == 1) {
        fetch(level);
        if (*level == 2)
            return 4;
        if (*level == 1)
            return 5;
    }
    if (port->next == port) // expect branch(true): unknown
        return 6;
    return 0;
}
