// function: third
struct node { struct node *next; int id; };
static struct node *head;
int third(void)
{
    int count = 0;
    for (struct node *at = head; at; at = at->next)
        count++;
    if (count > 7)  // expect branch(true): unknown
        return 1;
    return 0;
}
