// function: pick
// A branch on `!c` is a branch on c, which has the same value in every run.
int pick(int given)
{
    int steps = 0, found = 0;

    if (!(steps++, 1))  // expect branch(true): covered; branch(false): infeasible
        found += 1;
    if (!((steps = 3)))  // expect branch(true): covered; branch(false): infeasible
        found += 2;
    found += (!((steps++, 0)) ? given : -given) > 4;  // expect branch(true): infeasible; branch(false): covered
    found += ((!((steps++, 0))) ? given : 1) > 7;  // expect branch(true): infeasible; branch(false): covered
    while (!(steps++, 1))  // expect branch(true): infeasible; branch(false): covered
        found += 4;
    return found + steps;
}
