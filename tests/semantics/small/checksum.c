// domain: a=0..255 b=0..255
static unsigned char step(unsigned char crc, unsigned char byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++)
        crc = crc & 0x80 ? (unsigned char)(crc << 1 ^ 0x07) : (unsigned char)(crc << 1);
    return crc;
}
int f(unsigned char a, unsigned char b)
{
    unsigned char crc = step(step(0, a), b);
    if (crc == 0 && a && a == b)
        return 1;
    if (crc == 0x5a && a == 0x31)
        return 2;
    if (step(crc, crc))
        return 3;
    return crc == 0xff && (a & 0xf0) == 0x40;
}
