// function: corner
// A pointer to an array, and an array of pointers.
int corner(int (*rows)[3], const char *const names[2])
{
    if (rows[1][2] == 4 && names[1] && names[1][0] == 'n')  // expect branch: covered
        return 1;
    return 0;
}
