// function: order
// The order and the distance of two objects.
#include <stdlib.h>
int order(int a)
{
    int answer = 0, x = 1, y = a;
    if (&x < &y)  // expect branch: unknown
        answer += x;
    if ((char *)&x - (char *)&y > 100)  // expect branch: unknown
        answer += 2;
    if (a == 3)  // expect branch: covered
        answer = 10;
    return answer;
}
