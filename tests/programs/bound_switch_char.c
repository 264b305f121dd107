// function: last_letter
int last_letter(const char *text)
{
    int at = 0;
    while (text[at])
        at++;
    switch (at) {
    case 0:
        return 0;
    case 8:
        return 1;
    case 9:  // expect branch: unknown
        return 2;
    }
    return 3;
}
