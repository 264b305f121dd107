/* A set of small numbers (0 to 31) as a red-black tree; its nodes come from a pool.
 *
 * Function under test: run_tree, which carries out a few operations in a row and adds up their answers.
 * The experiment uses -DSTEPS=3: six numbers inserted at once, then two removed, come to every fix-up.
 *
 * Laws: a red node has no red child; all ways from the root down to nothing pass equally many black nodes. */

#include <stdbool.h>
#include <stddef.h>

#ifndef STEPS
#define STEPS 3
#endif

enum { POOL = 12, LONGEST_RUN = 6, LARGEST_KEY = 31 };

enum side { LEFT, RIGHT };

struct node {
    int key;
    bool is_red;
    bool is_used;
    struct node *parent;
    struct node *child[2];
};

struct tree {
    struct node pool[POOL];
    struct node *root;
    int size;
};

enum operation_kind { INSERT, REMOVE, CONTAINS, NEAREST, COUNT };

struct operation {
    enum operation_kind kind;
    int first; /* the key, or where a run of keys begins */
    int last;  /* where it ends; below `first`: the run goes down */
};

struct script {
    struct operation operations[STEPS];
};

/* --- questions ------------------------------------------------------------------------------ */

static bool is_red(const struct node *node)
{
    return node != NULL && node->is_red;
}

static enum side side_of(const struct node *node)
{
    return node == node->parent->child[LEFT] ? LEFT : RIGHT;
}

static enum side opposite(enum side side)
{
    return side == LEFT ? RIGHT : LEFT;
}

static struct node *outermost(struct node *node, enum side side)
{
    while (node != NULL && node->child[side] != NULL)
        node = node->child[side];
    return node;
}

/* The next node in the order of keys, towards the given side. */
static struct node *neighbour(struct node *node, enum side side)
{
    if (node->child[side] != NULL)
        return outermost(node->child[side], opposite(side));
    while (node->parent != NULL && side_of(node) == side)
        node = node->parent;
    return node->parent;
}

/* The node with the key, or the one under which it would be inserted; NULL in an empty tree. */
static struct node *descend(const struct tree *tree, int key)
{
    struct node *last = NULL;
    for (struct node *node = tree->root; node != NULL;) {
        last = node;
        if (key < node->key)
            node = node->child[LEFT];
        else if (key > node->key)
            node = node->child[RIGHT];
        else
            return node;
    }
    return last;
}

static bool contains(const struct tree *tree, int key)
{
    const struct node *found = descend(tree, key);
    return found != NULL && found->key == key;
}

/* The key in the set that is nearest to this one, the smaller of two; -1 in an empty set. */
static int nearest(const struct tree *tree, int key)
{
    struct node *node = descend(tree, key);
    if (node == NULL || node->key == key)
        return node == NULL ? -1 : key;
    struct node *below = node->key < key ? node : neighbour(node, LEFT);
    struct node *above = node->key > key ? node : neighbour(node, RIGHT);
    if (above == NULL || (below != NULL && key - below->key <= above->key - key))
        return below->key;
    return above->key;
}

static int count_between(const struct tree *tree, int first, int last)
{
    int count = 0;
    struct node *node = descend(tree, first);
    if (node != NULL && node->key < first)
        node = neighbour(node, RIGHT);
    for (; node != NULL && node->key <= last; node = neighbour(node, RIGHT))
        count++;
    return count;
}

/* --- shape ---------------------------------------------------------------------------------- */

static struct node *take_node(struct tree *tree, int key, struct node *parent)
{
    for (int i = 0; i < POOL; i++) {
        struct node *node = &tree->pool[i];
        if (!node->is_used) {
            *node = (struct node){.key = key, .is_red = true, .is_used = true, .parent = parent};
            return node;
        }
    }
    return NULL;
}

/* What hangs at `old` is from now on `replacement`; its own children are not touched. */
static void replace(struct tree *tree, struct node *old, struct node *replacement)
{
    if (old->parent == NULL)
        tree->root = replacement;
    else
        old->parent->child[side_of(old)] = replacement;
    if (replacement != NULL)
        replacement->parent = old->parent;
}

/*      top                 pivot
 *     /   \                /   \
 *    a   pivot    ->     top    c        for side LEFT
 *        /   \          /   \
 *       b     c        a     b          */
static void rotate(struct tree *tree, struct node *top, enum side side)
{
    enum side other = opposite(side);
    struct node *pivot = top->child[other];
    struct node *middle = pivot->child[side];
    replace(tree, top, pivot);
    pivot->child[side] = top;
    top->parent = pivot;
    top->child[other] = middle;
    if (middle != NULL)
        middle->parent = top;
}

/* --- insertion ------------------------------------------------------------------------------ */

/* `node` is red; its parent may be red too, which is the only law that may be broken. */
static void repair_insertion(struct tree *tree, struct node *node)
{
    while (is_red(node->parent)) {
        struct node *parent = node->parent;
        struct node *grandparent = parent->parent; /* it is there: a red node is never the root */
        enum side side = side_of(parent);
        struct node *uncle = grandparent->child[opposite(side)];
        if (is_red(uncle)) {
            parent->is_red = false;
            uncle->is_red = false;
            grandparent->is_red = true;
            node = grandparent;
            continue;
        }
        if (side_of(node) != side) {
            rotate(tree, parent, side);
            parent = node;
        }
        parent->is_red = false;
        grandparent->is_red = true;
        rotate(tree, grandparent, opposite(side));
        break;
    }
    tree->root->is_red = false;
}

static bool insert(struct tree *tree, int key)
{
    struct node *parent = descend(tree, key);
    if (parent != NULL && parent->key == key)
        return false;
    struct node *node = take_node(tree, key, parent);
    if (node == NULL)
        return false;
    if (parent == NULL)
        tree->root = node;
    else if (key < parent->key)
        parent->child[LEFT] = node;
    else
        parent->child[RIGHT] = node;
    tree->size++;
    repair_insertion(tree, node);
    return true;
}

/* A run of keys, upwards or downwards. Returns how many of them are new. */
static int insert_run(struct tree *tree, int first, int last)
{
    int inserted = 0;
    int step = last < first ? -1 : 1;
    for (int i = 0; i < LONGEST_RUN; i++) {
        int key = first + i * step;
        inserted += insert(tree, key);
        if (key == last)
            break;
    }
    return inserted;
}

/* --- removal -------------------------------------------------------------------------------- */

/* The ways through `node`, a child of `parent` or nothing, have one black node less than all others. */
static void repair_removal(struct tree *tree, struct node *parent, enum side side)
{
    struct node *node = parent->child[side];
    while (parent != NULL && !is_red(node)) {
        enum side other = opposite(side);
        struct node *sibling = parent->child[other];
        if (is_red(sibling)) {
            sibling->is_red = false;
            parent->is_red = true;
            rotate(tree, parent, side);
            sibling = parent->child[other];
        }
        if (!is_red(sibling->child[LEFT]) && !is_red(sibling->child[RIGHT])) {
            sibling->is_red = true;
            node = parent;
            parent = node->parent;
            if (parent != NULL)
                side = side_of(node);
            continue;
        }
        if (!is_red(sibling->child[other])) {
            sibling->child[side]->is_red = false;
            sibling->is_red = true;
            rotate(tree, sibling, other);
            sibling = parent->child[other];
        }
        sibling->is_red = parent->is_red;
        parent->is_red = false;
        sibling->child[other]->is_red = false;
        rotate(tree, parent, side);
        return;
    }
    if (node != NULL)
        node->is_red = false;
}

/* Takes out a node that has at most one child. */
static void unlink_node(struct tree *tree, struct node *node)
{
    struct node *parent = node->parent;
    struct node *child = node->child[LEFT] != NULL ? node->child[LEFT] : node->child[RIGHT];
    enum side side = parent != NULL ? side_of(node) : LEFT;
    replace(tree, node, child);
    node->is_used = false;
    if (child != NULL)
        child->is_red = false; /* an only child is red; it takes the place of a black node */
    else if (!node->is_red && parent != NULL)
        repair_removal(tree, parent, side);
}

static bool remove_key(struct tree *tree, int key)
{
    struct node *node = descend(tree, key);
    if (node == NULL || node->key != key)
        return false;
    if (node->child[LEFT] != NULL && node->child[RIGHT] != NULL) {
        struct node *next = neighbour(node, RIGHT);
        node->key = next->key;
        node = next;
    }
    unlink_node(tree, node);
    tree->size--;
    return true;
}

/* --- operations ----------------------------------------------------------------------------- */

static bool is_valid(const struct operation *operation)
{
    bool is_first_valid = operation->first >= 0 && operation->first <= LARGEST_KEY;
    bool is_last_valid = operation->last >= 0 && operation->last <= LARGEST_KEY;
    return is_first_valid && is_last_valid;
}

static int carry_out(struct tree *tree, const struct operation *operation)
{
    switch (operation->kind) {
    case INSERT:
        return insert_run(tree, operation->first, operation->last);
    case REMOVE:
        return remove_key(tree, operation->first);
    case CONTAINS:
        return contains(tree, operation->first);
    case NEAREST:
        return nearest(tree, operation->first);
    case COUNT:
        return count_between(tree, operation->first, operation->last);
    }
    return 0;
}

int run_tree(struct script script)
{
    struct tree tree = {.root = NULL};
    int answers = 0;
    for (int i = 0; i < STEPS; i++) {
        if (!is_valid(&script.operations[i]))
            return -1;
        answers += carry_out(&tree, &script.operations[i]);
    }
    return answers + tree.size;
}
