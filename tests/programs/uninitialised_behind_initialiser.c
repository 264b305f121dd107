// function: differ
// An initialiser writes the members. Some compilers clear the padding, too; most do not, so that nothing rests on it.
#include <string.h>
struct gap { char c; int i; };
union wide { char c; int i; };
static struct gap make(int i) { struct gap made = {1, i}; return made; }
int differ(int i, int how)
{
    struct gap one = {1, i}, other = {1, i}, pair[2] = {{1, i}, {1, i}}, first = make(i), second = make(i);
    union wide number = {(char)i};
    if (one.c == other.c && one.i != other.i)  // expect branch#1(false): infeasible; branch#2(true): infeasible
        return 1;
    switch (how) {
    case 2: if (memcmp(&one, &other, sizeof one)) return 2;          // expect branch: unknown; branch(case 2): unknown
        break;
    case 3: if (memcmp(&pair[0], &pair[1], sizeof one)) return 3;    // expect branch: unknown; branch(case 3): unknown
        break;
    case 4: if (memcmp(&first, &second, sizeof one)) return 4;       // expect branch: unknown; branch(case 4): unknown
        break;
    case 5: if (number.i > 255) return 5;                            // expect branch: unknown; branch(case 5): unknown
        break;
    }
    return 0;
}
