// function: at_index
// A symbolic index reads the terminator as one of many. (The call hides the constant, which would make the text longer.)
static unsigned last(void) { return 8; }

int at_index(const char *text, unsigned at)
{
    if (at > last())
        return 0;
    if (at == last() && text[at] == 'x')  // expect branch#2(true): unknown
        return 1;
    return 0;
}
