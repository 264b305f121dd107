/* Builds a request to read or write registers: address, function, register, count or value, data, CRC-16. */
#include <stddef.h>
#include <stdint.h>

#define READ 3
#define WRITE_ONE 6
#define WRITE_MANY 16
#define MOST_READ 125
#define MOST_WRITTEN 8
#define BAD_FUNCTION (-1)
#define BAD_COUNT (-2)
#define NO_ROOM (-3)

uint16_t crc16(const uint8_t *data, size_t length)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (uint16_t)(crc >> 1 ^ 0xA001) : (uint16_t)(crc >> 1);
    }
    return crc;
}

int build_request(uint8_t *frame, size_t room, uint8_t unit, uint8_t function, uint16_t first, uint16_t count,
                  const uint16_t values[MOST_WRITTEN])
{
    size_t at = 0;
    size_t needed = 8;

    if (function != READ && function != WRITE_ONE && function != WRITE_MANY)
        return BAD_FUNCTION;
    if (count == 0 || (function == READ && count > MOST_READ) || (function == WRITE_MANY && count > MOST_WRITTEN)
        || (function == WRITE_ONE && count != 1))
        return BAD_COUNT;
    if (function == WRITE_MANY)
        needed += 1 + 2u * count;
    if (room < needed)
        return NO_ROOM;
    frame[at++] = unit & 0x7F;
    frame[at++] = function;
    frame[at++] = (uint8_t)(first >> 8);
    frame[at++] = (uint8_t)(first & 0xFF);
    if (function == WRITE_ONE) {
        frame[at++] = (uint8_t)(values[0] >> 8);
        frame[at++] = (uint8_t)values[0];
    } else {
        frame[at++] = (uint8_t)(count >> 8);
        frame[at++] = (uint8_t)count;
    }
    if (function == WRITE_MANY) {
        frame[at++] = (uint8_t)(2 * count);
        for (uint16_t i = 0; i < count; i++) {
            frame[at++] = (uint8_t)(values[i] >> 8);
            frame[at++] = (uint8_t)(values[i] & 0xFF);
        }
    }
    uint16_t crc = crc16(frame, at);
    frame[at++] = (uint8_t)crc;
    frame[at++] = (uint8_t)(crc >> 8);
    return (int)at;
}
