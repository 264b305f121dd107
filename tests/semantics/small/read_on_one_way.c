// unknown: shape
// input: s=not-null, array 4
// assume: n <= 4 && s[0] < 3 && s[1] < 3 && s[2] < 3 && s[3] < 3 && w < 4
// domain: n=0..4 s[0]=0..2 s[1]=0..2 s[2]=0..2 s[3]=0..2 w=0..3
/* Behind a loop, or behind an `if`, what only one way has read is known on all of them, unless a way has written it. */
int f(unsigned char *s, unsigned char n, unsigned char w)
{
    int found = 0;
    unsigned char i = 0;
    while (i < n && s[i] != 2)
        i++;
    if (i < n && s[i] != 2) /* never */
        return -2;
    if (w & 1) {
        if (s[0] == 1)
            found += 1;
    } else {
        if (w & 2)
            s[0] = 1; /* but this way has written */
    }
    if (s[0] == 1)
        found += 2;
    if (found == 1) /* never, but memory where ways meet is known as far as all know it */
        found = 9;
    i = 0;
    while (i < n && s[i] != 1) {
        s[i] = 1; /* the loop writes */
        if (w == 3 && s[i] != 1) /* never */
            return -3;
    }
    if (i < n && s[i] != 1) /* never */
        return -4;
    return found;
}
