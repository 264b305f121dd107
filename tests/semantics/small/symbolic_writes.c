// assume: a < 4 && b < 4 && c < 4
// domain: a=0..3 b=0..3 c=0..3
/* Three writes at indices from the input: later ones win. */
int f(unsigned char a, unsigned char b, unsigned char c)
{
    short box[4] = {0};
    box[a] = 1;
    box[b] = 2;
    box[c] = (short)(box[a] + 4);
    if (box[b] == 1)
        return 1;
    if (box[b] == 2 && b == c)
        return 2;
    if (box[a] == 6 && a != b)
        return 3;
    if (box[a] == 5 && a == c)
        return 4;
    return box[0] + box[1] + box[2] + box[3] == 8;
}
