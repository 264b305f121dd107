// function: mask
// A shift by a negative number, or by too many bits, has another result in every build: no test rests on it.
int mask(unsigned word, int by)
{
    if (by > 40)  // expect branch: covered
        return -1;
    unsigned moved = word >> by;
    if (moved == 5)  // expect branch: covered
        return 1;
    return (int)(moved & 1);
}
