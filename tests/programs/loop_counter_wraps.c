// function: wraps
// A counter that nothing stops below a limit wraps around.
int wraps(signed char last)
{
    for (signed char i = 0; i != last; i++)
        if (i < 0)  // expect branch: covered
            return 1;
    return 0;
}
