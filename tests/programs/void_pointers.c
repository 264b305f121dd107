// function: compare
// A `void *` that leads to pointers.
struct item { int key; };

int compare(const void *left, const void *right)
{
    const char *const *texts = left;
    struct item *const *items = right;
    if (texts[0] && texts[0][1] == 'b') // expect branch: covered
        return 1;
    if (*items && (*items)->key == 4)
        return 2;
    return 0;
}
