/* A queue of jobs, the most urgent first, as a Fibonacci heap; its nodes come from a pool.
 *
 * Function under test: run_heap, which carries out a few operations in a row and adds up their answers.
 * The experiment uses -DSTEPS=6: three runs of insertions, one extraction and two changes of a key can make the heap
 * cut a node, mark its parent, and cut that one too.
 *
 * Law: no node has a smaller key than its parent. Brothers form a ring; the roots do too. */

#include <stdbool.h>
#include <stddef.h>

#ifndef STEPS
#define STEPS 6
#endif

enum { POOL = 10, LONGEST_RUN = 4, DEGREES = 5, LARGEST_KEY = 99 }; /* a node of degree 5 has 12 others below it */

struct node {
    int key;
    int degree;     /* how many children it has */
    bool is_marked; /* it has lost a child since it became one itself */
    bool is_inside; /* false: not inserted yet, or extracted */
    struct node *parent, *child;
    struct node *next, *previous; /* its brothers */
};

struct heap {
    struct node pool[POOL];
    int taken; /* nodes of the pool that are or were inside */
    int size;
    struct node *minimum; /* a root */
};

enum operation_kind { INSERT, EXTRACT, DECREASE, REMOVE, PEEK };

struct operation {
    enum operation_kind kind;
    int job;   /* of DECREASE and REMOVE: which one, in the order of insertion */
    int key;   /* of INSERT and DECREASE */
    int count; /* of INSERT: how many, with growing keys */
};

struct script {
    struct operation operations[STEPS];
};

/* --- rings ---------------------------------------------------------------------------------- */

static bool is_alone(const struct node *node)
{
    return node->next == node;
}

static void make_ring(struct node *node)
{
    node->next = node;
    node->previous = node;
}

/* Joins two rings; either may be NULL. */
static struct node *join_rings(struct node *one, struct node *other)
{
    if (one == NULL || other == NULL)
        return one == NULL ? other : one;
    struct node *after_one = one->next;
    struct node *before_other = other->previous;
    one->next = other;
    other->previous = one;
    before_other->next = after_one;
    after_one->previous = before_other;
    return one;
}

/* Takes a node out of its ring, and returns what is left of that: NULL if it was alone. */
static struct node *leave_ring(struct node *node)
{
    struct node *rest = is_alone(node) ? NULL : node->next;
    node->previous->next = node->next;
    node->next->previous = node->previous;
    make_ring(node);
    return rest;
}

/* --- roots ---------------------------------------------------------------------------------- */

static void add_root(struct heap *heap, struct node *node)
{
    node->parent = NULL;
    node->is_marked = false;
    heap->minimum = join_rings(heap->minimum, node);
    if (node->key < heap->minimum->key)
        heap->minimum = node;
}

/* All children of a node that is about to go become roots. */
static void release_children(struct heap *heap, struct node *node)
{
    while (node->child != NULL) {
        struct node *child = node->child;
        node->child = leave_ring(child);
        node->degree--;
        add_root(heap, child);
    }
}

/* The root with the larger key becomes a child of the other one, which is returned. */
static struct node *link_roots(struct node *one, struct node *other)
{
    bool is_one_above = one->key < other->key || (one->key == other->key && one < other);
    struct node *above = is_one_above ? one : other;
    struct node *below = is_one_above ? other : one;
    below->parent = above;
    below->is_marked = false;
    above->child = join_rings(above->child, below);
    above->degree++;
    return above;
}

/* Links roots until no two of them have the same degree. */
static void consolidate(struct heap *heap, struct node *roots)
{
    struct node *by_degree[DEGREES] = {NULL};
    while (roots != NULL) {
        struct node *root = roots;
        roots = leave_ring(root);
        while (by_degree[root->degree] != NULL) {
            struct node *same = by_degree[root->degree];
            by_degree[root->degree] = NULL;
            root = link_roots(root, same);
        }
        by_degree[root->degree] = root;
    }
    heap->minimum = NULL;
    for (int degree = 0; degree < DEGREES; degree++)
        if (by_degree[degree] != NULL)
            add_root(heap, by_degree[degree]);
}

/* --- cuts ----------------------------------------------------------------------------------- */

static void cut(struct heap *heap, struct node *node)
{
    struct node *parent = node->parent;
    struct node *brothers = leave_ring(node);
    if (parent->child == node)
        parent->child = brothers;
    parent->degree--;
    add_root(heap, node);
}

/* Cuts a node off its parent; a parent that has lost a child before is cut off too, and so on upwards. */
static void cut_and_go_up(struct heap *heap, struct node *node)
{
    struct node *parent = node->parent;
    cut(heap, node);
    while (parent->parent != NULL && parent->is_marked) {
        node = parent;
        parent = node->parent;
        cut(heap, node);
    }
    if (parent->parent != NULL)
        parent->is_marked = true;
}

/* --- operations of a heap ------------------------------------------------------------------- */

static bool insert(struct heap *heap, int key)
{
    if (heap->taken == POOL)
        return false;
    struct node *node = &heap->pool[heap->taken++];
    *node = (struct node){.key = key, .is_inside = true};
    make_ring(node);
    add_root(heap, node);
    heap->size++;
    return true;
}

static int insert_run(struct heap *heap, int first, int count)
{
    int inserted = 0;
    for (int i = 0; i < count && i < LONGEST_RUN; i++)
        inserted += insert(heap, first + i);
    return inserted;
}

/* Takes out a root. */
static void take_out(struct heap *heap, struct node *node)
{
    release_children(heap, node);
    struct node *roots = leave_ring(node);
    consolidate(heap, roots);
    node->is_inside = false;
    heap->size--;
}

static int extract(struct heap *heap)
{
    struct node *node = heap->minimum;
    if (node == NULL)
        return -1;
    take_out(heap, node);
    return node->key;
}

static struct node *find(struct heap *heap, int job)
{
    for (int i = 0; i < heap->taken; i++)
        if (i == job && heap->pool[i].is_inside)
            return &heap->pool[i];
    return NULL;
}

static bool decrease(struct heap *heap, struct node *node, int key)
{
    if (node == NULL || key > node->key)
        return false;
    node->key = key;
    if (node->parent != NULL && key < node->parent->key)
        cut_and_go_up(heap, node);
    else if (node->parent == NULL && key < heap->minimum->key)
        heap->minimum = node;
    return true;
}

static bool remove_job(struct heap *heap, struct node *node)
{
    if (node == NULL)
        return false;
    if (node->parent != NULL)
        cut_and_go_up(heap, node);
    take_out(heap, node);
    return true;
}

/* --- operations of the queue ---------------------------------------------------------------- */

static bool is_valid(const struct operation *operation)
{
    bool has_key = operation->kind == INSERT || operation->kind == DECREASE;
    return !has_key || (operation->key >= 0 && operation->key <= LARGEST_KEY);
}

static int carry_out(struct heap *heap, const struct operation *operation)
{
    switch (operation->kind) {
    case INSERT:
        return insert_run(heap, operation->key, operation->count);
    case EXTRACT:
        return extract(heap);
    case DECREASE:
        return decrease(heap, find(heap, operation->job), operation->key);
    case REMOVE:
        return remove_job(heap, find(heap, operation->job));
    case PEEK:
        return heap->minimum != NULL ? heap->minimum->key : -1;
    }
    return 0;
}

int run_heap(struct script script)
{
    struct heap heap = {.minimum = NULL};
    int answers = 0;
    for (int i = 0; i < STEPS; i++) {
        if (!is_valid(&script.operations[i]))
            return -1;
        answers += carry_out(&heap, &script.operations[i]);
    }
    return answers + heap.size;
}
