// function: count
// options: --max-runs 300
// Memory of the program at a constant address, which is read and written: there is none here.
#define TOTAL (*(unsigned *)0x20000100)

int count(int n)  // expect outcome: crashed
{
    if (n > 100)  // expect branch(true): covered; branch(false): unknown
        return -1;
    if (n > 3)  // expect branch: unknown
        TOTAL++;
    else
        TOTAL--;
    return 0;
}
