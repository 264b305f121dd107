/* As crc.c, with the usual table of 256 entries, made by a loop; 64 bytes. */

#include <stdint.h>

enum { BYTES = 64 };

struct packet {
    uint8_t kind, length;
    uint8_t data[BYTES];
    uint32_t crc;
};

static uint32_t table[256];

static void fill_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t entry = i;
        for (int bit = 0; bit < 8; bit++)
            entry = entry & 1u ? entry >> 1 ^ 0xEDB88320u : entry >> 1;
        table[i] = entry;
    }
}

int receive(const struct packet *packet)
{
    fill_table();
    if (packet->length > BYTES)
        return -1;
    uint32_t crc = 0xFFFFFFFFu;
    for (int i = 0; i < packet->length; i++)
        crc = table[(crc ^ packet->data[i]) & 0xFFu] ^ crc >> 8;
    if (~crc != packet->crc)
        return -2;
    if (packet->kind == 7 && packet->length == 40)
        return 7;
    return packet->length < 4 ? 0 : 1;
}
