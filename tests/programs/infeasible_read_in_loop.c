// function: find
// options: --input 'node=depth 2'
// Only one of the ways that lead out of the loop has read text[at] or node->id, but nothing was written since.
struct node {
    struct node *next;
    int id;
};
extern int check(int);
int find(const char *text, unsigned long length, const struct node *node, int id)
{
    unsigned long at = 0;
    const struct node *found = 0, *other = 0;
    while (at < length && text[at] != ';')      // expect branch: covered
        at++;
    if (at < length && text[at] != ';')         // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return -1;
    while (node && node->id != id)
        node = node->next;
    if (node && node->id != id)                 // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return -2;
    if (node == 0)
        goto fail;
    if (check(1)) {                             // another file may change what `node` points to
        found = node->next;
        if (found == 0)
            goto fail;
        other = found->next;
        if (other == 0)
            goto fail;
    }
    return found != other;
fail:
    if (other != 0)                             // expect branch(true): infeasible; branch(false): covered
        return -3;
    return -4;
}
