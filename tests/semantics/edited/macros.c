// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
/* Conditions that macros write. */
#define LOW 2
#define HIGH (LOW + 3)
#define IN(x) ((x) >= LOW && (x) < HIGH)
#define EITHER(x, y) (IN(x) || IN(y))
#define CLAMP(x) ((x) > HIGH ? HIGH : (x))
#define COUNT(t) ((int)(sizeof(t) / sizeof((t)[0])))
static const signed char offsets[] = {1, -1, 2};
static int pick(int i) { return offsets[i % COUNT(offsets)]; }
int f(unsigned char a, unsigned char b)
{
    int r = CLAMP(a) + pick(b);
    if (EITHER(a, b) && !IN(r))
        return 1;
    for (int i = 0; i < COUNT(offsets); i++)
        if (offsets[i] == r)
            return 2;
    return IN(r) ? CLAMP(b) == LOW : r == HIGH;
}
