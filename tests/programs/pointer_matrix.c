// function: diagonal
int diagonal(int **rows)
{
    int sum = 0;
    for (int at = 0; at < 2; at++) {
        if (!rows[at])  // expect branch: covered
            return -1;
        sum += rows[at][at];
    }
    return sum == 12 ? 1 : 0;
}
