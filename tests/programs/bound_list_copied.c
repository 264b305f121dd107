// function: pushed
// The NULL at the end is moved by assignment of a whole struct.
struct node { int value; struct node *next; };
int pushed(const struct node *a)
{
    struct node copy;
    if (!a || !a->next || !a->next->next)
        return 0;
    copy = *a->next->next;
    if (copy.next)  // expect branch(true): unknown
        return 1;
    return 0;
}
