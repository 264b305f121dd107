// function: reverse
// A list is turned around, and the test sees the new order.
struct node { int value; struct node *next; };
struct node *reverse(struct node *list)
{
    struct node *done = 0;
    while (list) {  // expect branch: covered
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
