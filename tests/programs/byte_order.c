// function: port
#include <arpa/inet.h>
#include <libintl.h>
#include <string.h>

int port(unsigned short network, unsigned address)
{
    if (ntohs(network) == 8080)  // expect branch: covered
        return 1;
    if (htonl(address) == 0x7f000001)  // expect branch: covered
        return 2;
    if (strcmp(ngettext("host", "hosts", address), "hosts") == 0)  // expect branch: covered
        return 3;
    return 0;
}
