// function: cut
// The unit writes the terminator itself: what it reads there is its own.
int cut(char *text)
{
    text[2] = 0;
    if (text[0] == 'a' && text[1] == 'b' && text[2])  // expect branch#3(true): infeasible
        return 1;
    return 0;
}
