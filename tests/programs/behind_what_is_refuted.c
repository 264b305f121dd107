// function: settle
// Inputs alone decide `*level < 3`, so it is infeasible although a stub runs in between. What comes only behind it is, too;
// to `failed` leads another way.
extern void note(int);
int settle(int *level, int n, int m)
{
    if (*level > 5) {
        note(2);
        if (*level < 3) {           // expect branch(true): infeasible; mcdc(true): infeasible
            if (n > 7)              // expect branch(true): infeasible; branch(false): infeasible; mcdc: infeasible
                return 1;           // expect mcdc: infeasible
            goto failed;
        }
        return 2;
    }
    if (n == 77)
        goto failed;
    return 0;
failed:
    if (m > 100)
        return -2;
    return -1;
}
