// function: count_down
// The first input runs into the limit on steps; the search must neither drown in its path nor call that enough.
unsigned count_down(unsigned m)
{
    unsigned steps = 0;
    do {
        steps++;
    } while (--m);  // expect branch: covered
    return steps;
}
