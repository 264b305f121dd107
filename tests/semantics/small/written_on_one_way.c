// unknown: shape
// input: p=not-null, array 2
// assume: p[0] < 4 && p[1] < 4 && q < 2 && w < 8
// domain: p[0]=0..3 p[1]=0..3 q=0..1 w=0..7 memo=0
/* Two ways that part and meet again and again: what one has read before the other wrote is old on the other. */
static unsigned char memo;
static void note(unsigned char *where, unsigned char what)
{
    if (what > 4)
        *where = what & 3;
}
int f(unsigned char *p, unsigned char q, unsigned char w)
{
    int found = 0;
    memo = 0;
    if (w & 1) {
        if (p[q] > 1)
            found = 1;
        if (w & 2)
            note(&p[0], w); /* reads before, writes then */
    } else if (w & 4) {
        memo = p[0];
        p[1 - q] = 3;
        if (p[q] > 1)
            found = 2;
    }
    if (found == 1 && p[q] <= 1)
        found = 3;
    if (found == 2 && p[q] <= 1) /* never */
        found = 4;
    if (w == 4 && memo != p[0] && q == 0) /* never: p[1] was written */
        found = 5;
    if (w == 4 && memo != p[0])
        found += 6;
    if (p[q] > 1) {
        if (found == 1)
            p[q] = 0;
    } else if (found == 3) {
        p[1 - q] = 2;
    }
    if (found == 1 && p[q]) /* never */
        found = 7;
    return found;
}
