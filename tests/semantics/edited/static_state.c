// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* A static local and a global that callees leave to each other. */
static unsigned char mode = 1, level;
static const unsigned char steps[4] = {0, 1, 2, 4};
static void raise_level(int by)
{
    static int calls;
    calls++;
    if (calls > 2)
        mode = 2;
    level = (unsigned char)(level + steps[by & 3]);
}
static int is_high(void) { return level >= 4; }
int f(unsigned char a, unsigned char b)
{
    mode = 1;
    level = 0;
    for (int i = 0; i < a; i++)
        raise_level(b);
    if (is_high() && mode == 1)
        return 1;
    if (mode == 2) {
        raise_level(1);
        if (level == 4)
            return 2;
    }
    return level > a;
}
