/* What test_frameworks.py generates tests of: whatever a test can check, and each way to end. With -DFAULTS, each
   function has a fault that its tests must find. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAULTS
#define OR(right, wrong) wrong
#else
#define OR(right, wrong) right
#endif

int hal_read(int channel);
void hal_write(int channel, const char *what, double value);

enum mode { OFF, SLOW, FAST };
struct motor {
    enum mode mode;
    uint64_t ticks;
    float speed;
    int16_t history[4];
};

/* numbers in a struct, an array, 64 bits */
int motor_step(struct motor *motor, unsigned char wanted)
{
    memmove(motor->history + 1, motor->history, 3 * sizeof *motor->history);
    motor->history[0] = (int16_t)(OR(wanted - 3, wanted - 2));
    motor->ticks += UINT64_C(0x100000000);
    if (wanted > 200) motor->mode = FAST;
    return motor->mode == FAST;
}

/* floating point: NaN, -0.0, the last bit */
double filter(double value, float gain)
{
    if (value < 0) return -0.0 * OR(1, -1);
    return isnan(value) ? value : value * gain + OR(0.1, 0.10000000000000002);
}

/* strings, pointers into an argument, NULL */
const char *mode_name(enum mode mode)
{
    return mode == FAST ? OR("fast", "quick") : mode == SLOW ? "slow" : NULL;
}

const int *find(const int table[4], int wanted)
{
    for (int at = 0; at < 4; at++)
        if (table[at] == wanted) return &table[OR(at, 0)];
    return NULL;
}

/* calls of stubs, in order, with what they get */
int control(int limit)
{
    int value = hal_read(OR(3, 4));
    if (value > limit) hal_write(1, "valve", value * 0.5);
    return value;
}

/* exit, abort and a crash */
int guarded(int value, const int *from)
{
    if (value == 7) exit(OR(3, 4));
    if (value == 8) {
        OR(abort(), exit(0));
    }
    return value == 9 ? *from : OR(1, 2);
}

/* never ends for some */
int wait_for(unsigned flag)
{
    while (flag == 77) { }
    return OR(flag > 5, flag > 4);
}

/* state that no test can reset */
int next_number(int step)
{
    static int number;
    number += OR(step, step + 1);
    return step > 3 ? number * 2 : number;
}

/* registers */
#define STATUS (*(volatile uint32_t *)0x40020010)
#define CONTROL (*(volatile uint32_t *)0x40020014)

int start_device(int speed)
{
    CONTROL = OR(1, 3) | (uint32_t)(speed > 4) << 4;
    for (int tries = 0; tries < 3; tries++)
        if (STATUS & 0x80) return tries;
    return -1;
}

/* a sequence of calls */
static int level;
void fill(int amount) { if (amount > 0) level += OR(amount, amount + 1); }
int drain(void)
{
    if (level > 10) {
        level = 0;
        return 1;
    }
    return 0;
}
