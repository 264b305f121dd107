// function: level
// A weak reference is NULL in a program that does not define it.
extern int board_level __attribute__((weak));
extern const int board_limit __attribute__((weak));

int level(int asked)
{
    if (asked > 9 && asked < 5)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return -1;
    if (&board_level)  // expect branch(true): covered; branch(false): unknown
        asked += board_level;
    if (&board_limit != 0 && asked > 3)  // expect branch#1(true): covered; branch#1(false): unknown; branch#2: covered
        return 1;
    return asked;
}
