// function: words
/* A pointer that was read is not NULL, nor is the next element: the loop ends at the zero. */
int words(const char *text)
{
    int count = 0;
    const char *at;
    if (!text)
        return -1;
    for (at = text; at && *at; at++) // expect branch#1(false): infeasible; branch#2: covered
        if (*at == ' ')
            count++;
    return count > 9;
}
