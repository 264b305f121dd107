// function: packed
struct __attribute__((packed)) wire { char kind; int length; short port; };
struct __attribute__((aligned(32))) wide { char c; };
int packed(const struct wire *wire, struct wide *wide)
{
    if (wire->length == 0x01020304 && wire->port == -2)  // expect branch: covered
        return 1;
    if (wide->c == 'w')
        wide->c = 'v';
    return 0;
}
