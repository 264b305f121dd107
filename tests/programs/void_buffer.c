// function: has_magic
int has_magic(const void *data)
{
    const unsigned char *bytes = data;
    if (bytes[0] == 0xca && bytes[3] == 0xfe)  // expect branch: covered
        return 1;
    return 0;
}
