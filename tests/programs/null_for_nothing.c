// function: start
// C forbids NULL for memset, even to clear no bytes, and for open. Nothing but sanitizers notices: a run that does so is
// the last choice for a test.
#include <fcntl.h>
#include <string.h>

struct port { const char *device; char *room; unsigned long bytes; int mode; };

int start(struct port *port)
{
    memset(port->room, 0, port->bytes);
    int file = open(port->device, O_RDONLY);
    if (file < 0)                               // expect branch: covered
        return -1;
    if (port->mode & 1 << (file & 3))           // expect branch: covered
        return 1;
    return 0;
}
