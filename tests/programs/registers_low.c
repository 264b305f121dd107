// function: toggle
// options: --max-runs 300
// Registers where no system maps memory, as those of an AVR.
#include <stdint.h>

#define PINB (*(volatile uint8_t *)(0x03 + 0x20))
#define PORTB (*(volatile uint8_t *)(0x05 + 0x20))
#define TCNT1 (*(volatile uint16_t *)0x84)

int toggle(uint8_t mask)
{
    if (PINB & mask)  // expect branch: covered
        PORTB |= mask;
    else
        PORTB &= (uint8_t)~mask;
    uint16_t now = TCNT1;
    TCNT1 = (uint16_t)(now + 1);
    if (now > 1000)  // expect branch: covered
        return now;
    return 0;
}
