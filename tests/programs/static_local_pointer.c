// function: next_token
// Static locals start as they are written.
int next_token(char *text)
{
    static char *rest;
    if (text)  // expect branch: covered
        rest = text;
    if (!rest || !*rest)
        return -1;
    return *rest++ == ',';
}
