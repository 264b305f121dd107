/* A PI controller with saturation and anti-windup, and a ramp for its set point. */
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    float kp, ki;
    float low, high; /* of the output */
    float integral;
    bool is_saturated;
} pi_controller;

static unsigned saturations; /* since power-up */

extern void pwm_write(int channel, float duty);

static float clamp(float value, float low, float high)
{
    if (value < low) return low;
    if (value > high) return high;
    return value;
}

float pi_step(pi_controller *c, float target, float actual, float seconds)
{
    if (c == NULL || seconds <= 0.0f || c->low >= c->high) return 0.0f;
    float error = target - actual;
    float wanted = c->kp * error + c->integral + c->ki * error * seconds;
    float output = clamp(wanted, c->low, c->high);
    c->is_saturated = output != wanted;
    if (c->is_saturated)
        saturations++;
    else
        c->integral += c->ki * error * seconds;
    return output;
}

/* Moves `now` towards `target` by at most `step`. */
int ramp(int now, int target, int step)
{
    if (step <= 0) return now;
    if (target > now + step) return now + step;
    if (target < now - step) return now - step;
    return target;
}

void drive_both(pi_controller *left, pi_controller *right, float target, const float actual[2], float seconds)
{
    if (left == NULL || right == NULL || actual == NULL) {
        pwm_write(0, 0.0f);
        pwm_write(1, 0.0f);
        return;
    }
    pwm_write(0, pi_step(left, target, actual[0], seconds));
    pwm_write(1, pi_step(right, target, actual[1], seconds));
}
