// function: wait
// A function that is elsewhere may change the variables of the program; a stub of it does not.
extern void tick(void);
int counter;
int wait(unsigned char limit)
{
    counter = 0;
    tick();
    if (counter > limit)  // expect branch(true): unknown
        return 1;
    return 0;
}
