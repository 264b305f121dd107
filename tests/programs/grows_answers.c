// function: wait_for
/* The sixth answer of a stub decides: it has four at first. */
int ready(void);

int wait_for(void)
{
    int i;
    for (i = 0; i < 8; i++)
        if (ready() > 100)
            return i == 5;                              // expect mcdc: covered
    return -1;
}
