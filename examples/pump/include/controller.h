#pragma once

struct controller {
    float gain, integral_gain, limit;
    float integral;
};

float controller_step(struct controller *controller, float wanted, float measured, float seconds);
