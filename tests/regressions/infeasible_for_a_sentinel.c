// function: is_failed
// A pointer may be an address that leads nowhere.
int is_failed(const int *map)
{
    if (map == (const int *)-1)  // expect branch(true): unknown
        return 1;
    return 0;
}
