/* What kind of triangle three lengths make. Stands for `trityp` of Table I.
 * Function under test: classify. One size.
 *
 * The lengths are sorted first, so that each later question is asked only once. No length above
 * LONGEST is taken: the sum of two lengths then always fits. */

#define LONGEST 10000

enum kind { NOT_A_LENGTH = -2, TOO_LONG = -1, NO_TRIANGLE, FLAT, EQUILATERAL, ISOSCELES, SCALENE };

static void put_in_order(int *first, int *second)
{
    if (*first > *second) {
        int larger = *first;
        *first = *second;
        *second = larger;
    }
}

static enum kind kind_of(int shortest, int middle, int longest)
{
    if (shortest + middle < longest)
        return NO_TRIANGLE;
    if (shortest + middle == longest)
        return FLAT;
    if (shortest == longest)
        return EQUILATERAL;
    if (shortest == middle || middle == longest)
        return ISOSCELES;
    return SCALENE;
}

enum kind classify(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return NOT_A_LENGTH;
    if (a > LONGEST || b > LONGEST || c > LONGEST)
        return TOO_LONG;
    put_in_order(&a, &b);
    put_in_order(&b, &c);
    put_in_order(&a, &b);
    return kind_of(a, b, c);
}
