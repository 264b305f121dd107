// assume: a < 8
// domain: a=0..7
// unknown: runs_died
/* From index 5 on, the run is over before anything is decided. */
int f(unsigned char a)
{
    int box[5] = {0, 1, 2, 3, 4};
    if (a > 6)
        return 1;
    int x = box[a];
    if (x == 4)
        return 2;
    if (a == 5)
        return 3;
    return x > 2;
}
