#pragma once
#include <stdbool.h>
#include <stdint.h>

struct can_frame {
    uint32_t id;
    uint8_t length;
    uint8_t data[8];
};

struct pump_command {
    bool on;
    uint16_t speed; /* rotations per minute */
    int8_t correction;
};

enum can_result { CAN_OK, CAN_NOT_FOR_US, CAN_TOO_SHORT, CAN_BAD_CHECKSUM };

enum can_result can_decode(const struct can_frame *frame, struct pump_command *command);
