// assume: a < 16 && b < 8
// domain: a=0..15 b=0..7
int f(unsigned char a, unsigned char b)
{
    float x = (float)a / 4.0f, y = b * 0.1f;
    double z = (double)a * 0.1;
    if (x * x == 2.0f)
        return 1;
    if (x > 2.5f && x <= 2.75f)
        return 2;
    if (z + 0.2 == 0.3)
        return 3;
    if (y + y + y == 0.3f * b && b)
        return 4;
    return (int)(z * 10) != a;
}
