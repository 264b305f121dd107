// function: lookup
int lookup(unsigned index, const int values[4])
{
    static const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    int prime = primes[index % 8];
    if (prime == 13)  // expect branch: covered
        return 1;
    if (prime == 9)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    if (values[index & 3] == prime)  // expect branch: covered
        return 3;
    return 0;
}
