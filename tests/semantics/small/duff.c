// assume: a < 12
// domain: a=0..11
/* Duff's device: a switch into the middle of a loop. */
int f(unsigned char a)
{
    int n = 0, rounds = (a + 3) / 4;
    if (!a)
        return 0;
    switch (a % 4) {
    case 0:
        do {
            n += 1;
    case 3:
            n += 2;
    case 2:
            n ^= 3;
    case 1:
            n += 4;
        } while (--rounds > 0);
    }
    if (n == 18)
        return 1;
    return n > 14 && n < 18 ? 2 : 3;
}
