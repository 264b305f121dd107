// assume: g < 4 && h >= 0 && h < 4 && a < 4
// domain: g=0..3 h=0..3 a=0..3
unsigned char g;
static int h = 2;
static void move(int by) { g += by; h -= by; }
int f(unsigned char a)
{
    int before = g + h;
    for (int i = 0; i < a; i++)
        move(i);
    if (g + h != before)
        return 1;
    if (g == 6)
        return 2;
    if (h == -3 && g == 3)
        return 3;
    return h > 3;
}
