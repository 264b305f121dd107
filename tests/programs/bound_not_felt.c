// function: first_two
// The end of the string is not looked at: what follows is proved.
int first_two(const char *text)
{
    if (!text || !text[0])
        return 0;
    if (text[0] == 'a') {
        if (text[0] == 'b')  // expect branch(true): infeasible
            return 1;
        return 2;
    }
    if (text[1] > 5) {
        if (text[1] < 3)  // expect branch(true): infeasible
            return 3;
    }
    return 4;
}
