// assume: a < 5 && b < 5
// domain: a=0..4 b=0..4
/* An array whose length the input says. */
int f(unsigned char a, unsigned char b)
{
    int box[a + 1];
    for (int i = 0; i <= a; i++)
        box[i] = i * b;
    int last = box[a];
    if (last == 16)
        return 1;
    if (last == 7)
        return 2;
    return a > 2 && box[2] == 4 && sizeof box == 16;
}
