// function: look
// A pointer that a callback returns leads to what the code uses it as.
struct item { int id; struct item *next; char *name; };
struct store { void *(*get)(int key); struct item *(*find)(char *name); void *(*block)(unsigned long size); };

int look(struct store *store, int key)
{
    struct item *item = store->get(key);
    if (item && item->id == 5 && item->name && item->name[0] == 'x') // expect branch: covered
        return 1;
    item = store->find("a");
    if (item && item->next && item->next->id == 9)
        return 2;
    int *numbers = store->block(16);
    if (numbers && numbers[3] == 4)
        return 3;
    return 0;
}
