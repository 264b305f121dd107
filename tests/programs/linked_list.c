// function: total
struct node {
    int value;
    struct node *next;
};

int total(const struct node *list)
{
    int count = 0, sum = 0;
    for (; list; list = list->next) {  // expect branch: covered
        count++;
        sum += list->value;
    }
    if (count == 3 && sum == 30)
        return 1;
    return 0;
}
