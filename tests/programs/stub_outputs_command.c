// function: open_bus
// A number before a pointer is a command, unless it is the size: the whole variable is written.
struct bus;
extern struct bus *bus_open(const char *name);
extern int bus_control(struct bus *bus, int command, void *result);

int open_bus(void)
{
    struct bus *bus = bus_open("spi0");
    if (!bus) // expect branch: covered
        return -1;
    unsigned speed;
    if (bus_control(bus, 3, &speed) < 0) // expect branch: covered
        return -2;
    if (speed > 0x2000000) // expect branch: covered
        return 1;
    return 0;
}
