// assume: a < 16 && b < 8
// domain: a=0..15 b=0..7
/* In every round x + 2 * y == 3. */
int f(unsigned char a, unsigned char b)
{
    int x = 3, y = 0;
    for (int i = 0; i < b; i++) {
        if (a >> (i & 3) & 1) {
            x -= 2;
            y++;
        } else {
            x += 4;
            y -= 2;
        }
        if (x + 2 * y != 3)
            return 1;
    }
    if (x == y)
        return 2;
    if (x & 1 && x > 20)
        return 3;
    return (x & 1) == 0;
}
