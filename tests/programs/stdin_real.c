// function: main
// options: --input 'stdin = array 4'
#include <stdio.h>

int main(void)
{
    double x;
    char unit;
    if (scanf("%lf%c", &x, &unit) != 2)  // expect branch: covered
        return 1;
    if (x == 2.5 && unit == 'm')  // expect branch: covered
        return 2;
    return 0;
}
