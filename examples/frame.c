/* A reader of short serial frames: start byte, kind and length in one byte, payload, checksum.
 * Try: tightrope generate frame.c:read_frame */

#include <stdint.h>

enum { START = 0xA5, LARGEST = 4 };

enum kind { KIND_PING, KIND_SET, KIND_GET, KIND_RESET };

enum answer { OK, NO_START, BAD_KIND, TOO_LONG, TOO_SHORT, BAD_CHECKSUM };

struct message {
    enum kind kind;
    uint8_t length;
    uint8_t payload[LARGEST];
};

static uint8_t checksum(const uint8_t *bytes, int count)
{
    uint8_t sum = 0;
    for (int i = 0; i < count; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return (uint8_t)~sum;
}

/* Every kind has the lengths it allows. */
static int length_fits(enum kind kind, uint8_t length)
{
    switch (kind) {
    case KIND_PING:
    case KIND_RESET:
        return length == 0;
    case KIND_GET:
        return length == 1;
    case KIND_SET:
        return length >= 2;
    }
    return 0;
}

enum answer read_frame(const uint8_t bytes[7], struct message *message)
{
    if (bytes[0] != START)
        return NO_START;
    uint8_t kind = bytes[1] >> 4;
    uint8_t length = bytes[1] & 0x0F;
    if (kind > KIND_RESET)
        return BAD_KIND;
    if (length > LARGEST)
        return TOO_LONG;
    if (!length_fits((enum kind)kind, length))
        return TOO_SHORT;
    if (bytes[2 + length] != checksum(bytes + 1, length + 1))
        return BAD_CHECKSUM;

    message->kind = (enum kind)kind;
    message->length = length;
    for (int i = 0; i < length; i++)
        message->payload[i] = bytes[2 + i];
    return OK;
}
