// function: advance
// Another definition of the weak function may change variables.
static int state;

__attribute__((weak)) void state_changed(void) {}

int advance(int target)
{
    if (state < target) {  // expect branch: covered
        state_changed();
        if (state > target)  // expect branch(true): unknown; branch(false): covered
            return 1;
    }
    return 0;
}
