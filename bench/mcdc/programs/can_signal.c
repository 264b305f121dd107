/* A message of a bus: identifier, length and eight bytes; a signal with scale, a counter and a checksum over all of it. */

#include <stdbool.h>
#include <stdint.h>

struct can_frame {
    uint32_t identifier; /* bit 31: extended, bit 30: remote */
    uint8_t length;
    uint8_t data[8];
};

struct signal_state {
    uint8_t counter;
    uint8_t lost;
    bool valid;
};

static uint8_t crc8(const uint8_t *bytes, int count)
{
    uint8_t crc = 0xFF;
    for (int i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)(crc & 0x80 ? (crc << 1) ^ 0x1D : crc << 1);
    }
    return (uint8_t)(crc ^ 0xFF);
}

int receive_signal(const struct can_frame *frame, struct signal_state *state, int *tenths)
{
    uint32_t identifier = frame->identifier;
    bool extended = identifier >> 31;
    if ((identifier & 0x40000000) || (extended && (identifier & 0x1FFFFFFF) != 0x18FEF100) ||
        (!extended && (identifier & 0x7FF) != 0x2A0))
        return -1;
    if (frame->length != 8 || crc8(frame->data + 1, 7) != frame->data[0])
        return -2;
    uint8_t counter = frame->data[1] & 0x0F;
    if (counter == 0x0F || (state->valid && counter == state->counter)) {
        if (++state->lost > 3)
            state->valid = false;
        return -3;
    }
    state->lost = state->valid && counter != (state->counter + 1) % 15 ? 1 : 0;
    state->counter = counter;
    uint16_t raw = (uint16_t)(frame->data[2] | frame->data[3] << 8);
    if (raw >= 0xFB00 || (raw > 0x8000 && !extended)) {
        state->valid = false;
        return raw >= 0xFE00 ? -5 : -4;
    }
    state->valid = true;
    *tenths = raw / 25 - 400;
    return state->lost ? 1 : 0;
}
