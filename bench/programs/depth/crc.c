/* A frame of 1,024 bytes behind its CRC-32, and another whose CRC must have a certain value. */

#include <stdint.h>

enum { BYTES = 1024 };

struct frame {
    uint8_t data[BYTES];
    uint32_t crc;
};

static uint32_t crc32(const uint8_t *data, int bytes)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (int i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

int accept(const struct frame *frame)
{
    uint32_t crc = crc32(frame->data, BYTES);
    if (crc == 0x12345678u)
        return 3; /* the key of the service mode */
    if (crc != frame->crc)
        return -1;
    if (frame->data[0] != 0x7E || frame->data[1] > 4)
        return -2;
    return frame->data[1] == 2 && frame->data[2] + frame->data[3] == 300 ? 1 : 0;
}
