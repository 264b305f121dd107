// assume: a < 32
// domain: a=0..31
/* Only the fifth round can find it. */
int f(unsigned char a)
{
    int key = 1;
    for (int i = 0; i < 8; i++) {
        key = (key * 5 + 3) & 31;
        if (i == 5 && key == a)
            return i;
        if (i > 5 && key == a && a == 1)
            return 100;
    }
    return -1;
}
