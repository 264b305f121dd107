// function: size_of
// What a `void *` leads to depends on the kind: a number, or what follows a record. It cannot be both, and bytes of an
// address are no number.
struct call { int (*function)(int); int kind; };

int size_of(void *data, int kind)
{
    if (!data) // expect branch: covered
        return -1;
    if (kind == 1 && *(unsigned short *)data > 5) // expect branch: covered
        return 1;
    if (kind == 2) // expect branch(false): covered; branch(true): unknown
        return ((struct call *)data - 1)->kind;
    return 0;
}
