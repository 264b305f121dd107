// function: length
// options: --depth 1
// The list ends where our shape ends: a longer one may be given by others.
struct node {
    struct node *next;
};

int length(const struct node *list)
{
    int count = 0;
    for (; list; list = list->next)
        count++;
    if (count == 4)  // expect branch(true): unknown
        return 1;
    return 0;
}
