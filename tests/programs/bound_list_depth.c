// function: fourth
struct node { struct node *next; int value; };
int fourth(const struct node *list)
{
    int at = 0;
    for (; list; list = list->next)
        if (++at == 5 && list->value == 3)  // expect branch#1(true): unknown; branch#2: unknown
            return 1;
    return 0;
}
