/* Ten branches, each decided by an input of its own. What one run of it costs is what a run costs. */

int count_set(const unsigned char flags[10])
{
    int count = 0;
    if (flags[0])
        count++;
    if (flags[1])
        count++;
    if (flags[2])
        count++;
    if (flags[3])
        count++;
    if (flags[4])
        count++;
    if (flags[5])
        count++;
    if (flags[6])
        count++;
    if (flags[7])
        count++;
    if (flags[8])
        count++;
    if (flags[9])
        count++;
    return count;
}

int nothing(const unsigned char flags[10])
{
    return flags[0];
}
