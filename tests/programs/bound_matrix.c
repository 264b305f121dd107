// function: corner
int corner(int (*rows)[3], int height)
{
    if (height > 30 && rows[29][2] == 1)  // expect branch: covered
        return 1;
    return 0;
}
