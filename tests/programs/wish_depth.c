// function: length
struct node { struct node *next; };
/* tightrope: list = depth 2 */
int length(const struct node *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    if (n == 2)
        return 1;
    if (n == 3) // expect branch(true): unknown
        return 2;
    return 0;
}
