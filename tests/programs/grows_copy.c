// function: receive
/* A copy of a fixed size behind plain pointers. */
#include <string.h>

int receive(unsigned char *frame, const unsigned char *wire)
{
    memcpy(frame, wire, 64);
    if (frame[0] == 0x7e && frame[63] == 0x7f)          // expect mcdc: covered
        return 1;
    return 0;
}
