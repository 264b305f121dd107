// function: is_allowed
int is_allowed(int a, int b, int c, int d, int e, int f, int g, int h)
{
    if ((a > 1 || b > 1) && (b > 2 || c > 2) && (c > 3 || d > 3) && (d > 4 || e > 4) && (e > 5 || f > 5)
        && (a > 6 || c > 6) && (b > 7 || d > 7) && (c > 8 || e > 8) && (d > 9 || f > 9) && (e > 10 || a > 10)
        && (a > 11 || d > 11)
        && (g > 12 || g > 20)                 // expect mcdc#2(true): infeasible
        && (h > 3 || 0)                       // expect mcdc#2(true): infeasible
        && ((c > 13) ^ (f > 13))              // expect mcdc: covered
        && (d > 14 || d < 20))                // expect mcdc(false): infeasible; mcdc#2(true): covered
        return 1;
    return 0;
}
