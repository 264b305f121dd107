// assume: v.e[0] < 4 && v.e[1] < 4 && v.e[2] < 4
// domain: v.e[0]=0..3 v.e[1]=0..3 v.e[2]=0..3
struct box { unsigned char e[3]; };
int f(struct box v)
{
    int count[4] = {0}, all = 0;
    for (int i = 0; i < 3; i++)
        count[v.e[i]]++;
    for (int i = 0; i < 4; i++) {
        if (count[i] > 3)
            return 1;
        all += count[i];
    }
    if (all != 3)
        return 2;
    if (count[0] == 2 && count[3] == 1)
        return 3;
    return count[v.e[0]] == 0;
}
