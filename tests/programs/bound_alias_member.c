// function: is_loop
// A list may lead back to itself.
struct node { struct node *next; };
int is_loop(const struct node *list)
{
    if (list && list->next == list)  // expect branch#2(true): covered
        return 1;
    return 0;
}
