/* The triangle classification of Myers' "The Art of Software Testing": three lengths in, what kind
 * of triangle they make out. Try: tightrope generate triangle.c:classify */

enum triangle { NOT_A_TRIANGLE, EQUILATERAL, ISOSCELES, SCALENE };

enum triangle classify(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return NOT_A_TRIANGLE;
    /* a + b could overflow: compare differences instead */
    if (a <= c - b || b <= a - c || c <= b - a)
        return NOT_A_TRIANGLE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}
