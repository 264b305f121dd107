// function: step
// Statements are deleted and jumps exchanged; what they do is seen in a member, in a global and in calls of a stub.
struct motor {
    int speed;
    unsigned char fault;
};
int running;
void alarm_on(void);

void step(struct motor *m, int wanted)
{
    if (m->fault) {                    // expect mutation: covered
        alarm_on();
        return;
    }
    m->speed = wanted;
    running = 1;
}
