// function: is_search_tree
struct tree {
    int key;
    struct tree *left, *right;
};

int is_search_tree(const struct tree *tree)
{
    if (!tree)  // expect branch: covered
        return 1;
    if (tree->left && tree->left->key > tree->key)
        return 0;
    if (tree->right && tree->right->key < tree->key)
        return 0;
    return 1;
}
