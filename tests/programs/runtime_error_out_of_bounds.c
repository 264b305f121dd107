// function: entry
// The written test triggers the error, so it is covered; the branch behind which every run crashes is not.
int entry(int i, int is_wild)
{
    int table[4] = {1, 2, 3, 4};
    if (is_wild)                // expect branch(true): unknown; branch(false): covered
        return table[i & 7 | 4];  // expect rte: covered; outcome(read out of bounds): crashed
    return i;
}
