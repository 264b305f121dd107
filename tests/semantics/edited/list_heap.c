// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
// unknown: shape
/* Memory from the heap, linked through pointers, some of it freed. */
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; short value; };
static struct node *push(struct node *head, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return head;
    node->next = head;
    node->value = (short)value;
    return node;
}
static int sum(const struct node *head)
{
    int r = 0;
    for (; head; head = head->next)
        r += head->value;
    return r;
}
int f(unsigned char a, unsigned char b)
{
    struct node *list = 0, copy;
    for (int i = 0; i < b; i++)
        list = push(list, a + i);
    if (list && list->value == 4) {
        memcpy(&copy, list, sizeof copy);
        copy.value++;
        list->value = copy.value;
    }
    int r = sum(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    if (r == 5)
        return 1;
    return r > 6 && a != 3;
}
