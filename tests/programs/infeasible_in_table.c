// function: next
/* What a table holds, and which characters are digits, is the same for every caller, whatever the text is. */
#include <ctype.h>

static const unsigned char states[3][4] = {{0, 1, 2, 0}, {1, 1, 2, 0}, {2, 0, 2, 1}};

int next(const char *text, unsigned state)
{
    int value = 0;
    for (; isxdigit((unsigned char)*text); text++) {
        char c = *text;
        value = 16 * value + (c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c - '0'); // expect branch#2(false): infeasible; branch#4(false): infeasible; branch#1: covered; branch#3: covered
        state = states[state % 3][c & 3];
        if (state > 2) // expect branch(true): infeasible
            return -2;
    }
    return value == 0x2a ? 7 : (int)state;
}
