// function: after_comma
char *after_comma(char *text)
{
    while (*text && *text != ',')  // expect branch: covered
        text++;
    return *text ? text + 1 : 0;
}
