// function: receive
// options: --max-runs 300
// Registers at constant addresses: each read is an input of its own, writes change nothing that C can see.
#include <stdint.h>

typedef struct {
    volatile uint32_t status;
    volatile uint32_t data;
    volatile uint16_t baud[2];
} uart;

#define UART1 ((uart *)0x40011000)
#define LED (*(volatile uint8_t *)0x40020018)

int receive(void)
{
    for (int tries = 0; !(UART1->status & 1); tries++) {  // expect branch: covered
        LED = 1;
        if (tries == 3)  // expect branch: covered
            return -1;
    }
    if (UART1->data > 7 && UART1->data < 7)  // expect branch: covered
        return 1;                            // two reads may differ
    uint32_t once = UART1->data;
    if (once > 7)  // expect branch: covered
        if (once < 7)  // expect branch(true): infeasible
            return 2;
    UART1->baud[1] = 9;
    if (LED == 300)  // expect branch(true): infeasible
        return 3;
    return LED == 200;
}
