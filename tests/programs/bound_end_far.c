// function: room
int room(const char *p, const char *end)
{
    if (end - p > 40)  // expect branch(true): unknown
        return 1;
    return 0;
}
