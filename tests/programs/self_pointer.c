// function: is_root
struct tree { struct tree *parent; int depth; };
int is_root(struct tree tree)
{
    if (!tree.parent)  // expect branch: covered
        return 1;
    return tree.parent->depth < tree.depth;
}
