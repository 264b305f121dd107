/* Decodes frames of a CAN bus into wheel speeds and the state of the brake, and answers requests. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ID_WHEELS 0x0A0u
#define ID_BRAKE 0x0B0u
#define ID_REQUEST 0x700u

typedef struct {
    uint32_t id;
    uint8_t length;
    uint8_t data[8];
} can_frame;

typedef struct {
    uint16_t speed[4]; /* 0.01 km/h, front left first */
    uint8_t pressure;
    bool is_pressed;
    uint32_t received;
    uint32_t rejected;
} vehicle_state;

extern int can_send(uint32_t id, const uint8_t *data, uint8_t length);

static uint16_t read_big_endian(const uint8_t *bytes) { return (uint16_t)((bytes[0] << 8) | bytes[1]); }

static uint8_t checksum(const uint8_t *bytes, uint8_t count)
{
    uint8_t sum = 0x55;
    for (uint8_t i = 0; i < count; i++) sum = (uint8_t)((sum << 1 | sum >> 7) ^ bytes[i]);
    return sum;
}

static int answer_request(const can_frame *frame, const vehicle_state *state)
{
    uint8_t answer[4];
    uint8_t wheel = frame->data[0];
    if (wheel >= 4) return -3;
    answer[0] = wheel;
    answer[1] = (uint8_t)(state->speed[wheel] >> 8);
    answer[2] = (uint8_t)(state->speed[wheel] & 0xff);
    answer[3] = checksum(answer, 3);
    return can_send(ID_REQUEST + 8, answer, sizeof answer) < 0 ? -4 : 1;
}

int decode_frame(const can_frame *frame, vehicle_state *state)
{
    if (frame == NULL || state == NULL) return -1;
    if (frame->id == ID_WHEELS && frame->length == 8) {
        for (int wheel = 0; wheel < 4; wheel++) state->speed[wheel] = read_big_endian(&frame->data[2 * wheel]);
        state->received++;
        return 0;
    }
    if (frame->id == ID_BRAKE && frame->length >= 2) {
        state->pressure = frame->data[1];
        state->is_pressed = frame->data[0] & 0x04;
        state->received++;
        return 0;
    }
    if (frame->id == ID_REQUEST && frame->length > 0) return answer_request(frame, state);
    state->rejected++;
    return -2;
}
