// function: remove_node
struct item {
    struct item *next, *previous;
    int id;
};

int remove_node(struct item *item)
{
    if (!item)  // expect branch: covered
        return -1;
    if (item->previous)
        item->previous->next = item->next;
    if (item->next)
        item->next->previous = item->previous;
    return item->id == 5 ? 1 : 0;
}
