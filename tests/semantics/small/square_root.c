// domain: x=0..65535
/* Digit by digit: eight rounds, whatever the number. */
int f(unsigned short x)
{
    unsigned rest = x, root = 0;
    for (unsigned bit = 1u << 14; bit; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else
            root >>= 1;
    }
    if (root * root > x)
        return 1;
    if (root > 255)
        return 2;
    if (rest == 0 && root == 181)
        return 3;
    return rest > 2 * root || (root == 200 && rest == 399);
}
