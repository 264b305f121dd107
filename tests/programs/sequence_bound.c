// function: sequence_step
// options: --sequence 'step*4'
// What more calls than those of the sequence cover is not infeasible; what no number of calls covers is.
int step(int is_fast)
{
    static int count;
    if (count > 20)  // expect branch(true): infeasible
        return -1;
    count += is_fast ? 2 : 1;
    if (count >= 20)  // expect branch(true): unknown
        count = 0;
    if (count == 7)  // expect branch: covered
        return 1;
    return 0;
}
