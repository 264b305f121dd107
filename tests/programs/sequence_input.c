// function: sequence_step
// options: --sequence 'step*2' --input 'mode=input' --assume 'x < 100'
// A variable that the user names is an input; what is assumed of a parameter holds for every call.
static int mode = 1, sum;

int step(int x)
{
    if (mode == 77)  // expect branch: covered
        return 1;
    sum += x == 5;
    if (sum == 2)  // expect branch: covered
        return 2;
    if (x >= 100)  // expect branch(true): infeasible
        return 3;
    return 0;
}
