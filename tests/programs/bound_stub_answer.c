// function: wait
int ready(void);
int wait(void)
{
    int turns = 0;
    while (!ready() && turns < 50)
        turns++;
    if (turns == 30)  // expect branch(true): unknown
        return 1;
    return 0;
}
