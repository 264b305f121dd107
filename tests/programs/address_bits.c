// function: place
// Where a local lies is nobody's promise beyond its alignment.
#include <stdint.h>
int place(int a)
{
    char bytes[32];
    int number = a, answer = 0;
    bytes[0] = (char)a;
    if (((uintptr_t)&number & 3) != 0)  // expect branch(true): unknown; branch(false): covered
        return -1;
    if (((uintptr_t)bytes & 31) == 0)  // expect branch: unknown
        answer = bytes[0];
    if (a == 6)  // expect branch: covered
        return 7;
    return answer;
}
