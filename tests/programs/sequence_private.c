// function: sequence_step
// options: --sequence 'step*2' --input 'result=not-null'
// No other file can pass the address of a static variable that this one never hands out.
static struct { int level, last; } state = {1, 0};

static void note(int *place, int value)
{
    *place = value;
}

int step(int *result, int value)
{
    *result = 7;
    note(&state.last, value);
    if (state.level == 7)  // expect branch(true): infeasible
        return 1;
    return 0;
}
