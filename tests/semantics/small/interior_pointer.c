// assume: a < 8 && b < 4
// domain: a=0..7 b=0..3
/* Negative indices from a pointer into the middle. */
int f(unsigned char a, unsigned char b)
{
    signed char box[8] = {1, -2, 3, -4, 5, -6, 7, -8};
    signed char *middle = box + 4;
    middle[a - 4] = 9;
    if (middle[-b] == 9 && a == 3)
        return 1;
    if (middle[-b] < 0 && b == 2)
        return 2;
    if (&middle[b] - box == 6 && *(middle + b) == 9)
        return 3;
    return middle[-4] == 1 && a == 0;
}
