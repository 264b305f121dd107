// function: step
// One way reads *level, the other calls a function that may write it: behind both, it may have changed.
extern int note(int *where);
int step(int *level, int *other, int n)
{
    int low = 0;
    if (n > 3) {
        if (*level < 5)
            low = 1;
    } else {
        *other = n;                             // may be *level
    }
    if (n < 0)
        note(level);
    if (low && *level >= 5)                     // expect branch#1: covered; branch#2(true): unknown; branch#2(false): covered
        return 1;
    if (*level == 7 && n == 2)                  // expect branch: covered
        return 2;
    return low;
}
