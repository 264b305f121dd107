// function: poll
volatile unsigned char status;
int poll(void)
{
    if (status & 1)  // expect branch: covered
        return 1;
    if (status & 1)  // expect branch(true): unknown
        return 2;
    return 0;
}
