// function: sign
int sign(int x)
{
    if (x > 0)  // expect branch: covered
        return 1;
    else if (x == 0)  // expect branch: covered
        return 0;
    return -1;
}
