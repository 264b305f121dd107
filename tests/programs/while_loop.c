// function: bits
int bits(unsigned char x)
{
    int count = 0;
    while (x != 0) {  // expect branch: covered
        x &= (unsigned char)(x - 1);
        count++;
    }
    do {
        count--;
    } while (count > 2);  // expect branch: covered
    if (count == 7)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    return count;
}
