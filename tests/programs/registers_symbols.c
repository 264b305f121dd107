// function: poll_device
// options: --max-runs 300
// Volatile variables that a linker script provides.
#include <stdint.h>

typedef struct {
    uint32_t status;
    uint16_t data[2];
} device;
extern volatile device DEVICE;
extern const volatile uint8_t IDENTITY;
extern volatile int shared;
extern uint8_t __bss_start[], __bss_end[];  // not accessed here
void clear_bss(void) { for (uint8_t *at = __bss_start; at < __bss_end; at++) *at = 0; }
static int get(volatile int *from) { return *from; }

int poll_device(void)
{
    DEVICE.data[1] = 5;
    if (DEVICE.status & 1)  // expect branch: covered
        if (!(DEVICE.status & 1))  // expect branch: covered
            return IDENTITY > 3;
    if (get(&shared) > 3)  // expect branch: covered
        if (get(&shared) < 3)  // expect branch(true): unknown
            return 1;
    return 0;
}
