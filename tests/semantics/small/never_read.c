// assume: a < 8
// domain: a=0..7
/* A variable without a value, that is read only after it has got one. */
int f(unsigned char a)
{
    int x;
    int box[4];
    if (a > 3)
        x = a;
    for (int i = 0; i < (a & 3); i++)
        box[i] = i * i;
    if (a == 7 && box[2] == 4)
        return 1;
    if (a > 3 && x > 5)
        return 2;
    return a > 4 ? x : 0;
}
