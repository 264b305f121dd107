// function: length
// options: --input 'list = depth 5'
struct node {
    struct node *next;
    char name;
};

int length(const struct node *list)
{
    int count = 0;
    for (; list; list = list->next)
        count++;
    if (count == 5)  // expect branch: covered
        return 1;
    return 0;
}
