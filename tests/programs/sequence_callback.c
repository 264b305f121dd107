// function: sequence_start_step
// options: --sequence 'start; step*3'
// The timer gets the address of `tick`, and may call it at any time.
void set_timer(void (*function)(void));
static int ticks;

static void tick(void)
{
    ticks++;
}

void start(void)
{
    set_timer(tick);
}

int step(int x)
{
    if (ticks > 0)  // expect branch(true): unknown
        return 1;
    if (x > 3)  // expect branch: covered
        return 2;
    return 0;
}
