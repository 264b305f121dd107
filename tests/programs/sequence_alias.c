// function: sequence_step
// options: --sequence 'step*2'
// Another file may pass the address of `level`, which no call changes otherwise.
int level = 1;

int step(int *result)
{
    *result = 7;
    if (level == 7)  // expect branch(true): unknown
        return 1;
    return 0;
}
