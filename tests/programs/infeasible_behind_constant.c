// function: send
// Everything behind a condition that is constant in this configuration, although a pointer is written elsewhere.
#define WITH_TRACE 0
static const struct {
    int channels, trace;
} config = {2, 0};
struct frame {
    int kind, size;
};
int traced;

int send(struct frame *f, int *sent, int n)
{
    int trace = WITH_TRACE;
    *sent = n;
    if (config.trace) {
        if (f->kind == n)  // expect mcdc: infeasible; statement: infeasible
            return 1;      // expect statement: infeasible
    }
    if (trace && f->size > n)  // expect branch#1(true): infeasible; branch#2: infeasible; mcdc#1(true): infeasible; mcdc#2: infeasible
        return 2;              // expect mcdc: infeasible; statement: infeasible
    if (trace) {               // expect branch(true): infeasible; mcdc(true): infeasible
        while (f->size > 3)    // expect branch: infeasible; mcdc: infeasible; statement: infeasible
            traced += f->size--;  // expect statement: infeasible
    }
    return n > 7;
}
