// function: above
// A variable that only a function declares cannot be named in tests: it is zero, and nothing is proved from that.
int above(int a)
{
    extern int board_limit;
    extern char board_name[];
    if (board_limit > a) // expect branch: covered
        return 1;
    if (board_name[0] == 'x') // expect branch(true): unknown
        return 2;
    return 0;
}
