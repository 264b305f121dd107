/* A sentence of a satellite receiver, `$GA,d*HH`: the address, one digit and a checksum. Text that must fit together. */

static int value_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The digit, or why there is none. */
int read_sentence(const char text[9])
{
    if (text[0] != '$' || text[8] != '\0')
        return -1;
    if (text[1] != 'G' || (text[2] != 'A' && text[2] != 'L' && text[2] != 'P'))
        return -2;
    if (text[3] != ',' || text[5] != '*')
        return -3;
    int high = value_of(text[6]), low = value_of(text[7]);
    if (high < 0 || low < 0)
        return -4;
    int sum = 0;
    for (int i = 1; i < 5; i++)
        sum ^= text[i];
    if (sum != high * 16 + low)
        return -5;
    if (text[4] < '0' || text[4] > '8' || (text[2] == 'L' && text[4] > '5'))
        return -6;
    return text[4] - '0';
}
