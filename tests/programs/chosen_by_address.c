// function: read_mode
// Which byte is read depends on the address of a function, but the byte is no address: what the code excludes is proved.
struct stream {
    int (*read)(unsigned char *to);
    unsigned char kind;
};

static int read_nothing(unsigned char *to)
{
    *to = 0;
    return 1;
}

static void read_byte(struct stream *stream, unsigned char *to)
{
    if (stream->read == read_nothing)
        *to = 4;
    else
        *to = 9;
}

int read_mode(struct stream *stream, const char *name)
{
    unsigned char byte;
    while (*name)  // a caller could pass a longer one: no search tries everything
        name++;
    read_byte(stream, &byte);
    if (byte > 5)
        return -1;
    switch (stream->kind & 0x30) {
    case 0x00:
        return 2;
    case 0x10:
        return 3;
    case 0x20:
        return 4;
    case 0x30:
        return 5;
    default:  // expect branch: infeasible
        return 6;
    }
}
