// function: sequence_place_step
// options: --sequence '(place|step)*2'
// The address of `level` is handed out, so another call may get it.
static int level = 1;

int *place(void)
{
    return &level;
}

int step(int *result)
{
    if (result)  // expect branch: covered
        *result = 7;
    if (level == 7)  // expect branch(true): unknown
        return 1;
    return 0;
}
