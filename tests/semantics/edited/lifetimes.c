// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
// unknown: shape runs_died
/* Accesses that are good or not as blocks are large or still there. */
#include <stdlib.h>
#include <string.h>
static char *kept;
static char *make(int size)
{
    char *room = calloc((size_t)size, 1);
    if (!room)
        exit(1);
    kept = room;
    return room;
}
static int last(const char *room, int size) { return room[size - 1]; }
int f(unsigned char a, unsigned char b)
{
    char small[4];
    memset(small, b, sizeof small);
    char *room = make(a + 1);
    room[b & 1] = 3;
    if (small[a] == 2)
        return 1;
    if (b == 3)
        free(room);
    if (last(kept, a + 1) == 3 && a)
        return 2;
    if (b != 3)
        free(kept);
    strcpy(small, a > 1 ? "abc" : "ab");
    return small[2] == 'c' || b == 1;
}
