// function: sum
// A variable array and alloca: bounds of the length in this run; one that is too long for the stack is an outcome.
// expect outcome: returned
#include <alloca.h>

int sum(int n, unsigned char i)
{
    int cells[n];  // expect outcome(stack overflow): crashed
    if (n < 4)  // expect branch: covered
        return 0;
    cells[3] = n;
    if (cells[3] == 5)  // expect branch: covered
        cells[4] = 1;
    char *bytes = alloca(i + 1);
    bytes[i] = 3;
    if (i == 9)  // expect branch: covered
        return bytes[9];
    return bytes[i + (n > 30)];  // expect outcome(read out of bounds): crashed
}
