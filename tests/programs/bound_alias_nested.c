// function: touch
// What one pointer leads to may be what the other one leads to in two steps.
struct cell { int *value; };
int touch(struct cell *cell, int *other)
{
    if (!cell->value)
        return 0;
    *cell->value = 3;
    *other = 4;
    if (*cell->value == 4)  // expect branch(true): unknown
        return 1;
    return 2;
}
