// function: quadrant
int quadrant(short x, short y)
{
    if (x >= 0) {  // expect branch: covered
        if (y >= 0)  // expect branch: covered
            return 1;
        if (x + y > 40000)  // expect branch(true): infeasible; branch(false): covered
            return 9;
        return 4;
    }
    if (y >= 0)  // expect branch: covered
        return 2;
    return 3;
}
