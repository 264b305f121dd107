// function: count_spaces
// `end` leads into the object of `begin`.
int count_spaces(const char *begin, const char *end)
{
    int found = 0;
    if (begin > end)  // expect branch(true): unknown
        return -1;
    while (begin < end)
        if (*begin++ == ' ')
            found++;
    if (found == 3)
        return 1;
    return 0;
}
