// function: skip_digits
// The caller's pointer is moved on.
int skip_digits(const char **place)
{
    const char *start;
    if (!place || !*place)  // expect branch: covered
        return -1;
    start = *place;
    while (**place >= '0' && **place <= '9')
        ++*place;
    return *place - start == 3 ? 1 : 0;
}
