// function: bits_of
union number { float real; unsigned bits; unsigned char bytes[4]; };
int bits_of(union number number)
{
    if (number.real == 1.5f)  // expect branch: covered
        return 1;
    if (number.bytes[3] == 0x80)
        return 2;
    return 0;
}
