// function: fill
// A stub writes only where there is room: not past an end, and not into a literal.
extern void reset(int *from, int *to);
extern void show(char *text);
extern void take(unsigned char *bytes, int count);

int fill(int n, unsigned char *bytes)
{
    int numbers[2] = {1, 2};
    unsigned char own[3] = {0};
    reset(numbers, numbers + 2);
    show("literal");
    take(own + 1, n);
    take(bytes, n);
    if (own[0] != 0) // expect branch(true): unknown
        return 1;
    if (own[2] == 7 && n > 2) // expect branch: covered
        return 2;
    if (numbers[0] == 5 || numbers[1] == 6)
        return 3;
    if (n > 0 && bytes && bytes[0] == 8)
        return 4;
    return 0;
}
