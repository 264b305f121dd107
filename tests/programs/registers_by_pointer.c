// function: drive
// options: --max-runs 300
// Pointers to registers, through parameters, results, `?:` and tables.
#include <stdint.h>

typedef struct {
    volatile uint32_t input;
    volatile uint32_t output[2];
} port;
struct pin {
    port *at;
    int bit;
};
#define PORT_A ((port *)0x40020000)
#define PORT_B ((port *)0x40020400)
#define PORT_C ((port *)0x40020800)

static const struct pin pins[] = {{PORT_A, 3}, {PORT_B, 5}};
static port *choose(int n) { return n > 10 ? PORT_A : PORT_C; }
static int is_set(const port *from, int bit) { return from->input >> bit & 1; }

int drive(unsigned n)
{
    if (n > 1 && n < 8)  // expect branch: covered
        return -1;
    port *one = n < 2 ? pins[n].at : choose(n);
    if (is_set(one, 4))  // expect branch: covered
        one->output[n & 1] = 1;
    if (one == PORT_B)  // expect branch: covered
        if (n != 1)  // expect branch(true): infeasible
            return 1;
    if (one == PORT_C)  // expect branch: covered
        if (n == 11)  // expect branch(true): infeasible
            return 2;
    return 0;
}
