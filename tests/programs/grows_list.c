// function: fifth
/* Nodes beyond the depth of the first shape. */
struct node {
    struct node *next;
    int v;
};

int fifth(const struct node *list)
{
    int n = 0;
    for (; list && n < 5; n++)
        list = list->next;
    if (n == 5 && list)                                 // expect branch: covered
        return list->v > 3;
    return 0;
}
