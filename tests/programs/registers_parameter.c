// function: init
// options: --max-runs 300
// A pointer that is compared with addresses of devices may be one of them.
#include <stdint.h>

typedef struct {
    volatile uint32_t mode, input, output;
} port;
#define PORT_A ((port *)0x40020000)
#define PORT_B ((port *)0x40020400)
#define CLOCKS (*(volatile uint32_t *)0x40023830)
#define IS_PORT(p) ((p) == PORT_A || (p) == PORT_B)

static int index_of(const port *one) { return one == PORT_B ? 2 : 1; }

int init(port *one, uint32_t mode)
{
    if (!IS_PORT(one))  // expect mcdc: covered; branch: covered
        return -1;
    CLOCKS |= index_of(one);
    one->mode = mode;
    if (one->input & 4)  // expect branch: covered
        one->output = 7;
    return one == PORT_A;
}
