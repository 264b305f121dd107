// function: look
// The bytes of a pointer, read as something else.
#include <stdint.h>
#include <string.h>
union view { int *pointer; uintptr_t number; unsigned char bytes[8]; };
int look(int a)
{
    int x = a, answer = 0;
    union view u;
    unsigned char copy[8];
    u.pointer = &x;
    memcpy(copy, &u, 8);
    if (u.number % 7 == 1)  // expect branch: unknown
        answer = 1;
    if (u.bytes[1] > 100)  // expect branch: unknown
        answer = 2;
    unsigned hash = 5381;
    for (int i = 0; i < 8; i++)  // expect branch: covered
        hash = hash * 33 + copy[i];
    if (hash & 8)  // expect branch: unknown
        answer = 3;
    if (*u.pointer == 5)  // expect branch: covered
        answer = 4;
    return answer;
}
