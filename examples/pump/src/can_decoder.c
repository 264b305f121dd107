#include "can_decoder.h"

enum { PUMP_ID = 0x321, COMMAND_LENGTH = 5 };

static uint8_t checksum(const struct can_frame *frame)
{
    uint8_t sum = 0;
    for (int at = 0; at < COMMAND_LENGTH - 1; at++) sum = (uint8_t)(sum ^ frame->data[at]);
    return sum;
}

enum can_result can_decode(const struct can_frame *frame, struct pump_command *command)
{
    if ((frame->id & 0x7ff) != PUMP_ID) return CAN_NOT_FOR_US;
    if (frame->length < COMMAND_LENGTH || frame->length > 8) return CAN_TOO_SHORT;
    if (checksum(frame) != frame->data[COMMAND_LENGTH - 1]) return CAN_BAD_CHECKSUM;
    command->on = frame->data[0] & 1;
    command->speed = (uint16_t)(frame->data[1] << 8 | frame->data[2]);
    command->correction = (int8_t)frame->data[3];
    if (!command->on && command->speed > 0) command->speed = 0;
    return CAN_OK;
}
