// function: visit
// A callback gets a pointer into its own owner, whose records lead to each other through an array of pointers.
struct node { struct node *kid[2]; int v; };
struct box { void (*cb)(struct node *); struct node *root; };

int visit(struct box *b)
{
    b->cb(b->root);
    if (b->root->v > 3)                 // expect branch: covered
        return 1;
    return 0;
}
