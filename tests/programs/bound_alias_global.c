// function: store
int level;
int store(int *to)
{
    level = 1;
    *to = 5;
    if (level == 5)  // expect branch(true): unknown
        return 1;
    return 0;
}
