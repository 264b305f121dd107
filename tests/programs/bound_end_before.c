// function: room
int room(const int *begin, const int *end)
{
    if (end < begin)  // expect branch(true): unknown
        return 1;
    return 0;
}
