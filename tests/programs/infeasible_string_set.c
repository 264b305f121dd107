// function: normalise
int normalise(char *text)
{
    if (!text)
        return -1;
    if (*text >= 'A' && *text <= 'Z')
        *text += 'a' - 'A';
    if (*text == 'Q')  // expect branch(true): infeasible
        return 1;
    return 0;
}
