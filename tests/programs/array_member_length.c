// function: checksum
struct buffer {
    const unsigned char *bytes;
    unsigned count;
};

int checksum(const struct buffer *buffer)
{
    unsigned sum = 0;
    if (!buffer || !buffer->bytes)  // expect branch: covered
        return -1;
    for (unsigned at = 0; at < buffer->count; at++)
        sum += buffer->bytes[at];
    if (buffer->count > 3 && sum == 7)
        return 1;
    return 0;
}
