/* Four balls look alike, but one may weigh more or less than the others: which one? A balance that
 * only compares is asked at most three times. Stands for `4balls` of Table I.
 * Function under test: odd_ball. One size. */

enum answer { NONE = 0, FIRST = 1, SECOND = 2, THIRD = 3, FOURTH = 4 };

/* The sign of the answer tells whether the odd ball is the heavy or the light one. */
static int heavy(int ball)
{
    return ball;
}

static int light(int ball)
{
    return -ball;
}

int odd_ball(int first, int second, int third, int fourth)
{
    if (first == second) { /* both are usual: weigh the others against them */
        if (third > first)
            return heavy(THIRD);
        if (third < first)
            return light(THIRD);
        if (fourth > first)
            return heavy(FOURTH);
        if (fourth < first)
            return light(FOURTH);
        return NONE;
    }
    if (first == third) /* then the second is the odd one */
        return second > first ? heavy(SECOND) : light(SECOND);
    return first > third ? heavy(FIRST) : light(FIRST);
}
