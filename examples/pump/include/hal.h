#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What the board provides; its source is not part of this project. */
bool hal_adc_start(int channel);
int hal_adc_read(int channel, uint16_t *value); /* 0, or an error */
void hal_alarm(const char *text, int code);
