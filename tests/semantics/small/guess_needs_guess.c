// assume: a < 4 && b < 16
// domain: a=0..3 b=0..15
/* j starts where i is, and i may go below zero: what is wrong about i makes the same wrong about j. */
int f(unsigned char a, unsigned char b)
{
    int found = 0;
    for (int i = 0; i < a; i++) {
        if (b >> (i & 3) & 1 && !found) {
            found = 1;
            i -= 3;
        }
        for (int j = i; j < a; j++) {
            if (j < 0)
                return 1;
            if (j > 3)
                return 2;
        }
    }
    return found;
}
