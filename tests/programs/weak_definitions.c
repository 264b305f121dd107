// function: poll
// What is weak may be replaced by another file of the program: what follows from the definition here is not proved.
__attribute__((weak)) int board_hook(void) { return 0; }
__attribute__((weak)) const int limit = 5;
const int steps[2] __attribute__((weak)) = {1, 2};
static const int *const pointed = &limit;
static const int fallback = 3;
extern const int other_name __attribute__((weak, alias("fallback")));

int poll(int level)
{
    int found = 0;

    if (level > 3 && level < 2)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        found += 32;
    if (board_hook())  // expect branch(true): unknown; branch(false): covered
        found += 1;
    if (limit > 6)  // expect branch(true): unknown; branch(false): covered
        found += 2;
    if (steps[1] == 3)  // expect branch(true): unknown; branch(false): covered
        found += 4;
    if (*pointed == 9)  // expect branch(true): unknown; branch(false): covered
        found += 8;
    if (other_name == 4)  // expect branch(true): unknown; branch(false): covered
        found += 16;
    return found;
}
