// function: wait_for
// What is volatile may change: nothing about it is proved.
int wait_for(volatile int *flag)
{
    if (*flag == 1)  // expect branch: covered
        return 1;
    if (*flag == 1)  // expect branch(true): unknown
        return 2;
    return 0;
}
