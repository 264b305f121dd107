// function: check
/* `len >= 100`, and a byte that is no input in the first shape: 16 are. */
static int is_marked(const unsigned char *data, int at) { return data[at] == 0x55; }

int check(const unsigned char *data, int len)
{
    if (len >= 100) {                                   // expect branch: covered
        if (is_marked(data, len - 1))                   // expect branch: covered
            return 2;
        return 1;
    }
    return 0;
}
