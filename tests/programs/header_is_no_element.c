// function: repeats
// A walk that looks back: where it begins, there is nothing before the pointer.
struct item { int key, value; };

int repeats(const struct item *items, int count)
{
    if (!items || count < 1) // expect branch#1: covered; branch#2(true): covered; branch#2(false): unknown
        return -1;
    for (const struct item *at = items; count--; at++) // expect branch: unknown
        if (at[-1].key == at->key) // expect branch: unknown; outcome(read out of bounds): crashed
            return 1;
    return 0;
}
