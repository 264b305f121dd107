// function: look_up
struct row { int key; char name[4]; };
static struct row rows[3];
int *current;
struct cell { int value; struct cell *next; } *cells;
static const int limits[2] = {5, 50};
int look_up(int key)
{
    for (int at = 0; at < 3; at++)
        if (rows[at].key == key && rows[at].name[0] == 'x')  // expect branch: covered
            return at;
    if (current && *current > limits[1])
        return 10;
    if (cells && cells->next && cells->next->value == limits[0])
        return 11;
    return -1;
}
