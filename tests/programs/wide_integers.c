// function: product
int product(unsigned long a, unsigned long b)
{
    unsigned __int128 wide = (unsigned __int128)a * b;
    if (a == 7)  // expect branch: covered
        return (int)(wide >> 64);
    return 0;
}
