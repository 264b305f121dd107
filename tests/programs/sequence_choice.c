// function: sequence_put_get
// options: --sequence '(put|get)*7'
// Either function in each call: a buffer of three must be full, empty, and go round.
enum { SIZE = 3 };
static int items[SIZE];
static unsigned first, count;

int put(int item)
{
    if (count == SIZE)  // expect branch: covered
        return 0;
    items[(first + count++) % SIZE] = item;
    if (count > SIZE)  // expect branch(true): infeasible
        return -1;
    return 1;
}

int get(int *item)
{
    if (count == 0)  // expect branch: covered
        return 0;
    *item = items[first];
    if (++first == SIZE)  // expect branch: covered
        first = 0;
    count--;
    if (*item == 35 && first == 0)  // expect branch: covered
        return 2;
    return 1;
}
