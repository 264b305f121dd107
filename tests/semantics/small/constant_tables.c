// assume: a >= -12 && a <= 12 && b < 4
// domain: a=-12..12 b=0..3
struct limit { signed char low; short high; const char *name; };
static const struct limit limits[3] = {{-3, 300, "one"}, {5, 900, "two"}, {0, 7, 0}};
static const signed char grid[2][5] = {{1, -2, 3, -4, 5}, {6, 7, 8, 9, -10}};
static const unsigned short squares[9] = {0, 1, 4, 9, 16, 25, 36, 49, 64};
static const float steps[4] = {0.5f, 1.5f, -2.5f, 8.0f};
static const int *const middle = (const int[]){-2, -1, 0, 1, 2} + 2;
int f(signed char a, unsigned char b)
{
    int sum = 0;
    for (int i = 0; i < b; i++) {
        int at = (a + i) % 9;
        if (at < 0)
            at = -at;
        if (squares[at] > 64) // never
            return 1;
        if (squares[at] == 36 && at != 6) // never
            return 2;
        if (grid[at & 1][i % 5] < -10 || grid[b & 1][(unsigned char)a % 5] == 10) // never
            return 3;
        if (steps[at & 3] > 8.0f) // never
            return 4;
        if (limits[at % 3].high < 8 && limits[at % 3].low == 5) // never
            return 5;
        if (!limits[at % 3].name && limits[at % 3].high == 300) // never
            return 6;
        if (middle[at % 5 - 2] > 2) // never, and seldom further: an unknown pointer
            return 7;
        sum += squares[at] + grid[1][at % 5];
    }
    return sum > 60 && squares[b] == 9;
}
