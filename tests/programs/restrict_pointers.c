// function: add_all
void add_all(int *restrict to, const int *restrict from, int n)
{
    for (int at = 0; at < n; at++) {
        if (from[at] > 100)  // expect branch: covered
            break;
        to[at] += from[at];
    }
}
