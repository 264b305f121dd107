// assume: a < 32
// domain: a=0..31
static const unsigned char primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
int f(unsigned char a)
{
    int low = 0, high = 8, rounds = 0;
    while (low < high) {
        int middle = (low + high) / 2;
        rounds++;
        if (primes[middle] == a)
            return rounds == 1 ? 1 : 2;
        if (primes[middle] < a)
            low = middle + 1;
        else
            high = middle;
    }
    if (rounds > 4)
        return 3;
    if (rounds == 3 && low == 8)
        return 4;
    return low == 0 && a > 1;
}
