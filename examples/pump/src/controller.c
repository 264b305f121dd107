#include "controller.h"

#include <math.h>

static float clamp(float value, float limit)
{
    if (value > limit) return limit;
    return value < -limit ? -limit : value;
}

/* A PI controller. Without a valid measurement, it holds its last output. */
float controller_step(struct controller *controller, float wanted, float measured, float seconds)
{
    float error = wanted - measured;
    if (isnan(error) || seconds <= 0.0f) return clamp(controller->integral, controller->limit);
    controller->integral = clamp(controller->integral + error * controller->integral_gain * seconds, controller->limit);
    return clamp(error * controller->gain + controller->integral, controller->limit);
}
