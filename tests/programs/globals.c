// function: throttle
int limit = 10;
static unsigned char used;
extern int elsewhere;
int elsewhere;

int throttle(int wanted)
{
    if (limit < 0)  // expect branch: covered
        return -1;
    if (wanted + used > limit)  // expect branch: covered
        return 0;
    used++;
    if (used == 0)  // expect branch: covered
        return 2;
    if (elsewhere == 3)  // expect branch: covered
        return 4;
    return 1;
}
