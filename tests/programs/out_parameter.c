// function: divide
int divide(int a, int b, int *quotient, int *remainder)
{
    if (b == 0 || !quotient)  // expect branch: covered
        return -1;
    *quotient = a / (b == -1 ? 1 : b);
    if (remainder)
        *remainder = a % (b == -1 ? 1 : b);
    return 0;
}
