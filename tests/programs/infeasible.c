// function: contradiction
int contradiction(int x, unsigned char y)
{
    if (x > 5 && x < 3)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 1;
    if (y * y == 3)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    if (y > 255 || y < 0)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    if ((x & 1) == 0 && x % 2 == 1)  // expect branch#1: covered; branch#2(true): infeasible
        return 4;
    return 0;
}
