// function: depth_of
struct tree { struct tree *left, *right; };
static int depth(const struct tree *tree)
{
    int left, right;
    if (!tree)
        return 0;
    left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}
int depth_of(const struct tree *tree)
{
    if (depth(tree) > 4)  // expect branch(true): unknown
        return 1;
    return 0;
}
