// function: far_byte
int far_byte(const void *data, int at)
{
    const char *bytes = data;
    if (at < 0 || at > 100)
        return 0;
    if (bytes[at] == 1 && at == 90)  // expect branch#2(true): unknown
        return 1;
    return 0;
}
