// function: is_only_child
// Deep inside, NULL is ours, not the caller's.
struct node { struct node *next; };
int is_only_child(const struct node *a)
{
    if (!a || !a->next || !a->next->next)
        return 0;
    if (a->next->next->next != 0)  // expect branch(true): unknown
        return 1;
    return 0;
}
