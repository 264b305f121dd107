// function: run
// options: --stub-writes 'bus->read:2=2' --stub-writes 'bus->stamp=none'
// --stub-writes names a callback by its path.
struct bus {
    int (*read)(void *context, unsigned char *data);
    void (*stamp)(long *now);
};

int run(struct bus *bus)
{
    unsigned char data[4] = {0};
    long now = 5;
    if (bus->read(0, data) < 0) // expect branch: covered
        return -1;
    if (data[1] == 0xaa)
        return 1;
    if (data[3] == 0xaa) // expect branch(true): unknown
        return 2;
    bus->stamp(&now);
    if (now > 1000) // expect branch(true): unknown
        return 3;
    return 0;
}
