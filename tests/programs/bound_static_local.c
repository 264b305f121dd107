// function: turn
int turn(int n)
{
    static int calls;
    calls++;
    if (calls == 3 && n)  // expect branch#1(true): unknown; branch#2: unknown
        return 1;
    return 0;
}
