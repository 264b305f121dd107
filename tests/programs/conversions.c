// function: mixed
int mixed(int i, unsigned u, signed char c, unsigned short h)
{
    if (i < 0 && i > u)  // expect branch: covered
        return 1;
    if (c == 200)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    if ((unsigned char)c == 200)  // expect branch: covered
        return 3;
    if (h * h < 0)  // expect branch: covered
        return 4;
    if ((short)h == -32768 && c < -1u)  // expect branch: covered
        return 5;
    return 0;
}
