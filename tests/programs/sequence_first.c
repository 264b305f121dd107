// function: sequence_init_step
// options: --sequence 'init; step*3'
// The first call finds the initial values, and only these. Nothing is repeated before it, so that is proved.
static int is_ready = 0, limit = 5;

int init(int wanted)
{
    if (is_ready)  // expect branch(true): infeasible
        return 0;
    is_ready = 1;
    if (wanted > 2)  // expect branch: covered
        limit = 2;
    return limit;
}

int step(int x)
{
    if (!is_ready)  // expect branch(false): infeasible
        return 0;
    if (limit == 3)  // expect branch(true): infeasible
        return 1;
    if (x > limit)  // expect branch: covered
        return 2;
    return 3;
}
