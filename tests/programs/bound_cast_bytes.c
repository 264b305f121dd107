// function: hash
struct record { char tag; int hidden; char end; };
int hash(const struct record *record)
{
    const unsigned char *bytes = (const unsigned char *)record;
    unsigned sum = 0;
    for (unsigned at = 4; at < 8; at++)
        sum += bytes[at];
    if (sum == 1020)  // expect branch: covered
        return 1;
    return 0;
}
