// function: weekday
// The last break changes nothing, and neither does it to go on after it: both are equivalent.
int weekday(unsigned char day)
{
    int found = 0;
    switch (day) {
    case 1:
        found = 10;
        break;
    case 2:
        found = 20;
        break;                         // expect mutation(delete): infeasible
    }
    return found;                      // expect mutation#1(abs): infeasible
}
