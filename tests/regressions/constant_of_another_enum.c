// function: step
/* The enum has braces inside, so that its members were not found in the text, and those of another function were taken
   for them: `level > 2` could not matter, as if SIZE were 0. */
enum { SIZE = sizeof(struct { int a; }), LAST = sizeof("{") };

int other(int n)
{
    enum { SIZE = 0, LAST = 0 };
    return SIZE + LAST + n;
}

int step(int level, int speed)
{
    int found = 0;
    if (level > 2 &&
        SIZE)  // expect mcdc(false): infeasible; mcdc(true): covered
        found = 1;
    if (speed > 2 &&
        LAST == 2)  // expect mcdc(false): infeasible; mcdc(true): covered
        found += 2;
    return found;
}
