// assume: a < 8 && b < 2
// domain: a=0..7 b=0..1 pool[0]=0..1 pool[1]=0..1 pool[2]=0..1
/* Behind `found == 0`, `found` is 0 wherever the ways meet again, and two locals are never at one place. */
static unsigned char pool[3];
static unsigned char *take(unsigned char which)
{
    return which < 3 ? &pool[which] : 0;
}
int f(unsigned char a, unsigned char b)
{
    unsigned char *made = 0, *other = 0;
    unsigned char x = a, y = b;
    unsigned char *p = &x, *q = b ? &x : &y;
    if (&x == &y) /* never */
        return 9;
    if (p == q)
        a ^= 1;
    if (a == 7)
        goto fail;
    made = take(a & 3);
    if (made == 0)
        goto fail;
    other = take(a >> 1);
    if (other == 0)
        goto fail;
    return (int)(other - made);
fail:
    if (other != 0) /* never */
        return 7;
    if (made != 0)
        return 5;
    return 3;
}
