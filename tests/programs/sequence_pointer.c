// function: sequence_set_step
// options: --sequence 'set; step*3'
// A pointer that a call keeps is used by later ones. Nothing is proved about where it leads after more calls.
static const int *table;
static int at;

void set(const int values[4])
{
    table = values;
}

int step(void)
{
    if (!table)  // expect branch: covered
        return -1;
    if (table[at] == 9)  // expect branch: covered
        at++;
    if (at > 3)  // expect branch(true): unknown
        return -2;
    return at;
}
