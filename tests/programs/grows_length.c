// function: check
/* `len >= 128`, and a byte that is no input in the first shape: only the first 64 are. */
static int is_marked(const unsigned char *data, int at) { return data[at] == 0x55; }

int check(const unsigned char *data, int len)
{
    if (len >= 128) {                                   // expect branch: covered
        if (is_marked(data, 127))                       // expect branch: covered
            return 2;
        return 1;
    }
    return 0;
}
