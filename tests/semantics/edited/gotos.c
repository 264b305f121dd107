// assume: a < 8 && b < 4
// domain: a=0..7 b=0..3
/* Jumps forwards, backwards and into a block. */
int f(unsigned char a, unsigned char b)
{
    int n = 0, state = b;
again:
    n++;
    switch (state) {
    case 0:
        if (a & 1)
            goto odd;
        state = 2;
        goto again;
    case 1:
        state = a > 4 ? 3 : 0;
        if (n < 3)
            goto again;
        break;
    case 2:
        if (n > 2)
            goto out;
        /* fall through */
    default:
        n += 2;
    }
    if (n > 4) {
    odd:
        n--;
        if (b == 1)
            return 7;
    }
out:
    return n == 3 && a != 2;
}
