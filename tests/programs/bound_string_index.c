// function: at_index
// A symbolic index reads the terminator as one of many.
int at_index(const char *text, unsigned at)
{
    if (at > 8)
        return 0;
    if (at == 8 && text[at] == 'x')  // expect branch#2(true): unknown
        return 1;
    return 0;
}
