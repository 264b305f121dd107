// function: add
// options: --check overflow
/* The sum decides nothing, so the loop seems to go round in a circle; but the sum overflows in the end. */
int add(int n)
{
    int sum = 0;
    while (n)       // expect branch(true): unknown
        sum += 0x10000;  // expect outcome(signed overflow): crashed
    return sum;
}
