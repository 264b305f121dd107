// function: run
// What a callback writes through its arguments is an input as well.
struct bus {
    int (*read)(void *context, unsigned char *data, int size);
    void (*stamp)(long *now);
    void *context;
};

int run(struct bus *bus)
{
    unsigned char data[4];
    long now;
    if (bus->read(bus->context, data, sizeof data) < 0) // expect branch: covered
        return -1;
    if (data[0] == 0x55 && data[3] == 0xaa)
        return 1;
    bus->stamp(&now);
    if (now > 1000)
        return 2;
    return 0;
}
