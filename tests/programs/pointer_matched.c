// function: insert
// A pointer in an object may lead to where a parameter, a pointer beside it or the object itself is, if the code asks.
struct node { struct node *next, *prev; int value; };
struct list { struct node *head, *tail; };

int insert(struct list *list, struct node *node)
{
    if (list->head == node) // expect branch: covered
        return 1;
    if (list->tail == node && node->next == node)
        return 2;
    if (list->head && list->head == list->tail)
        return 3;
    if (node && node->next && node->next->prev == node)
        return 4;
    return 0;
}
