// function: copy_out
// A member that only goes somewhere else as a part of the whole, and is looked at there.
struct item { int id; int weight; };
int copy_out(const struct item *item)
{
    struct item mine = *item;
    if (mine.weight == 9)  // expect branch: covered
        return 1;
    return 0;
}
