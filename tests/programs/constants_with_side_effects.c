// function: step
/* A condition whose value is the same in every run is a constant, even if it does something beside that: it is evaluated
   or not, but nothing else can show that its neighbours matter. `left || (v = -15) > -87` is always true. */
static int state;

static int rest(int value, int by) { return by ? value % by : by; }

int step(int left, unsigned char right, int other)
{
    int v = 0, fuel = 2, turns = 0;

    while (fuel-- > 0 &&  // expect mcdc: covered
           (right >> 7 == rest(left, right) ||  // expect mcdc: infeasible
            (v = -15) > -87))  // expect mcdc(true): covered; mcdc(false): infeasible
        turns++;
    if (right <= 128 &&  // expect mcdc: covered
        (other != state ||  // expect mcdc: infeasible
         (v, 5) >= (int)__builtin_bswap32(255)))  // expect mcdc(true): covered; mcdc(false): infeasible
        turns += 4;
    return turns + v;
}
