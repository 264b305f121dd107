/* One step of a controller: floats, their products, and thresholds on the results. */

#include <stdbool.h>

struct pid {
    float kp, ki, kd;
    float sum, previous;
    float low, high;
    int saturated; /* steps in a row */
};

enum action { HOLD, HEAT, COOL, ALARM, BAD };

static bool is_sane(const struct pid *pid)
{
    return pid->kp > 0.0f && pid->kp < 100.0f && pid->ki >= 0.0f && pid->ki < 10.0f && pid->kd >= 0.0f &&
           pid->kd < 10.0f && pid->low < pid->high && pid->low > -1000.0f && pid->high < 1000.0f;
}

enum action pid_step(struct pid *pid, float wanted, float measured, float dt)
{
    if (!is_sane(pid) || !(dt > 0.001f && dt < 1.0f))
        return BAD;
    float error = wanted - measured;
    float change = (error - pid->previous) / dt;
    float sum = pid->sum + error * dt;
    float output = pid->kp * error + pid->ki * sum + pid->kd * change;
    pid->previous = error;
    if (output > pid->high || output < pid->low) {
        output = output > pid->high ? pid->high : pid->low;
        if (++pid->saturated > 10 && error * error > 25.0f)
            return ALARM;
    } else {
        pid->sum = sum;
        pid->saturated = 0;
    }
    float power = output * output * 0.5f;
    if (power > 120.0f && power < 120.5f && pid->ki * sum > 3.0f)
        return HOLD;
    if (output * change < -50.0f)
        return COOL;
    return output > 0.25f * pid->high ? HEAT : output * error > 0.0f ? COOL : HOLD;
}
