// function: scale
// options: --assume 'n >= 0' --assume 'n <= 5 && factor != 0'
static int factor = 2;

int scale(int n)
{
    if (n > 5)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    if (factor == 0)  // expect branch(true): infeasible; branch(false): covered
        return -2;
    if (n * factor == 15)  // expect branch: covered
        return 1;
    return 0;
}
