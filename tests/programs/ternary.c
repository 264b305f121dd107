// function: middle
int middle(int a, int b, int c)
{
    int low = a < b ? a : b;  // expect branch: covered
    int high = a < b ? b : a;  // expect branch: covered
    int result = c < low ? low : c > high ? high : c;  // expect branch#1: covered; branch#2: covered
    return result < low ? -1 : result;  // expect branch(true): infeasible; branch(false): covered
}
