// function: head_only
struct node { int value; struct node *next; };
int head_only(const struct node *list)
{
    if (!list)
        return 0;
    if (list->value > 10) {
        if (list->value < 5)  // expect branch(true): infeasible
            return 1;
    }
    if (list->next && list->next->value == 3 && list->next->value != 3)  // expect branch#3(true): infeasible
        return 2;
    return 3;
}
