// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
// unknown: shape
#include <stdlib.h>
struct cell { int value; struct cell *next; };
int f(unsigned char a, unsigned char b)
{
    struct cell *head = 0;
    for (int i = 0; i < a; i++) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            return -1;
        cell->value = i * b;
        cell->next = head;
        head = cell;
    }
    int sum = 0;
    while (head) {
        struct cell *next = head->next;
        sum = sum * 2 + head->value;
        free(head);
        head = next;
    }
    if (sum == 10)
        return 1;
    if (sum == 30)
        return 2;
    return sum == 7;
}
