// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
struct row { signed char key; short value; };
int f(unsigned char a, unsigned char b)
{
    struct row table[4];
    for (int i = 0; i < 4; i++)
        table[i] = (struct row){(signed char)(i ^ 1), (short)(i * 7)};
    table[a].key = (signed char)b;
    table[b].value = (short)(a + 100);
    int at = -1;
    for (int i = 0; i < 4; i++)
        if (table[i].key == 2)
            at = i;
    if (at < 0)
        return 1;
    if (table[at].value > 100 && at == 1)
        return 2;
    if (table[a].value == 103 && table[a].key == 0)
        return 3;
    return table[at].value == 21 ? 4 : at;
}
