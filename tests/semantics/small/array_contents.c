// assume: v.e[0] < 4 && v.e[1] < 4 && v.e[2] < 4
// domain: v.e[0]=0..3 v.e[1]=0..3 v.e[2]=0..3
/* Sorted, then asked whether it is. */
struct box { unsigned char e[3]; };
int f(struct box v)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (v.e[j] > v.e[j + 1]) {
                unsigned char old = v.e[j];
                v.e[j] = v.e[j + 1];
                v.e[j + 1] = old;
            }
    if (v.e[0] > v.e[1] || v.e[1] > v.e[2])
        return 1;
    if (v.e[0] == v.e[2] && v.e[1] == 2)
        return 2;
    return v.e[0] + v.e[1] + v.e[2] == 9 && v.e[0] != 3;
}
