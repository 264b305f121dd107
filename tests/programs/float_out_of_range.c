// function: gauge
// A conversion of a float that does not fit is undefined: builds differ in its result, so nothing rests on it.
int gauge(float level, double depth)
{
    unsigned char bar = (unsigned char)level;
    if (bar > 200)  // expect branch: covered; outcome(conversion of a float): crashed
        return 1;
    if (level < -5.0f)  // expect branch(true): unknown
        return 2;
    int steps = (int)depth;
    if (depth > 4e9 && level > 100.0f)  // expect branch: covered
        return 3;
    return steps > 7;
}
