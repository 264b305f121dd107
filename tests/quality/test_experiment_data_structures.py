"""The heap and the tree of the experiments are what they claim to be: their laws hold after every operation of random
sequences, and they answer as a plain array of flags does. A slip there would make an experiment about nothing.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tightrope.source.toolchain import compiler_environment, find_compiler

PROGRAMS = Path(__file__).parents[2] / "experiments" / "programs" / "reactive"

COMMON = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned state = 1;
static int below(int limit)
{
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 8) % limit;
}
static void demand(int holds, const char *law)
{
    if (!holds) {
        printf("%s\\n", law);
        exit(1);
    }
}
"""

TREE = """\
static int black_height(const struct node *node, const struct node *parent, int low, int high, int *count)
{
    if (node == NULL)
        return 0;
    ++*count;
    demand(node->is_used, "a node inside is taken from the pool");
    demand(node->parent == parent, "children know their parent");
    demand(low < node->key && node->key < high, "keys are sorted");
    demand(!(node->is_red && parent != NULL && parent->is_red), "no red node has a red child");
    int left = black_height(node->child[LEFT], node, low, node->key, count);
    int right = black_height(node->child[RIGHT], node, node->key, high, count);
    demand(left == right, "all ways down pass equally many black nodes");
    return left + !node->is_red;
}

static int model_insert(char *has, int size, int first, int last)
{
    int inserted = 0, step = last < first ? -1 : 1;
    for (int key = first, i = 0; i < LONGEST_RUN; key += step, i++) {
        if (!has[key] && size + inserted < POOL)
            inserted += has[key] = 1;
        if (key == last)
            break;
    }
    return inserted;
}

static int model_nearest(const char *has, int key)
{
    for (int far = 0; far <= LARGEST_KEY; far++) {
        if (key - far >= 0 && has[key - far])
            return key - far;
        if (key + far <= LARGEST_KEY && has[key + far])
            return key + far;
    }
    return -1;
}

static int model(char *has, int size, struct operation o)
{
    int count = 0;
    switch (o.kind) {
    case INSERT:
        return model_insert(has, size, o.first, o.last);
    case REMOVE:
        count = has[o.first];
        has[o.first] = 0;
        return count;
    case CONTAINS:
        return has[o.first];
    case NEAREST:
        return model_nearest(has, o.first);
    case COUNT:
        for (int key = o.first; key <= o.last; key++)
            count += has[key];
        return count;
    }
    return 0;
}

int main(void)
{
    for (int round = 0; round < 8000; round++) {
        struct tree tree = {.root = NULL};
        char has[LARGEST_KEY + 8] = {0};
        int range = 4 + below(LARGEST_KEY - 2);
        for (int i = 0; i < 12; i++) {
            struct operation o = {(enum operation_kind)below(5), below(range), below(range)};
            demand(is_valid(&o), "the operation is valid");
            int wanted = model(has, tree.size, o);
            demand(carry_out(&tree, &o) == wanted, "the tree answers as the model does");
            int count = 0;
            black_height(tree.root, NULL, -1, LARGEST_KEY + 1, &count);
            demand(!is_red(tree.root), "the root is black");
            demand(count == tree.size, "the size is that of the tree");
        }
    }
    return 0;
}
"""

HEAP = """\
static int check_ring(const struct node *ring, const struct node *parent, int *count)
{
    int brothers = 0;
    const struct node *node = ring;
    if (ring == NULL)
        return 0;
    do {
        int degree = check_ring(node->child, node, count);
        demand(node->is_inside, "what hangs in the heap is inside");
        demand(node->next->previous == node, "rings are closed both ways");
        demand(node->parent == parent, "children know their parent");
        demand(parent == NULL || parent->key <= node->key, "no key is smaller than the one above");
        demand(parent != NULL || !node->is_marked, "no root is marked");
        demand(node->degree == degree, "the degree is the number of children");
        ++*count, ++brothers;
        node = node->next;
    } while (node != ring);
    return brothers;
}

static int smallest(const int *keys)
{
    int found = -1;
    for (int i = 0; i < POOL; i++)
        if (keys[i] >= 0 && (found < 0 || keys[i] < keys[found]))
            found = i;
    return found;
}

/* What an answer says about which job was extracted is only its key: the heap itself tells which of two equal ones. */
static int model(int *keys, int *taken, const struct heap *heap, struct operation o)
{
    int least = smallest(keys), inserted = 0;
    int is_inside = o.job >= 0 && o.job < *taken && keys[o.job] >= 0;
    switch (o.kind) {
    case INSERT:
        for (int i = 0; i < o.count && i < LONGEST_RUN && *taken < POOL; i++, inserted++)
            keys[(*taken)++] = o.key + i;
        return inserted;
    case EXTRACT:
        if (least < 0)
            return -1;
        least = keys[least];
        keys[heap->minimum - heap->pool] = -1;
        return least;
    case DECREASE:
        if (!is_inside || o.key > keys[o.job])
            return 0;
        keys[o.job] = o.key;
        return 1;
    case REMOVE:
        if (is_inside)
            keys[o.job] = -1;
        return is_inside;
    case PEEK:
        return least < 0 ? -1 : keys[least];
    }
    return 0;
}

static int check(const struct heap *heap)
{
    int count = 0, roots = check_ring(heap->minimum, NULL, &count);
    demand(count == heap->size, "the size is that of the heap");
    return roots;
}

static void try_random_operations(void)
{
    struct heap heap = {.minimum = NULL};
    int keys[POOL], taken = 0;
    memset(keys, -1, sizeof keys);
    for (int i = 0; i < 14; i++) {
        struct operation o = {(enum operation_kind)below(5), below(POOL + 1) - 1, below(below(2) ? 8 : 100), below(6)};
        int wanted = model(keys, &taken, &heap, o);
        demand(carry_out(&heap, &o) == wanted, "the heap answers as the model does");
        check(&heap);
    }
    for (int last = -1, key; (key = extract(&heap)) >= 0; last = key)
        demand(key >= last, "keys come out sorted");
    demand(heap.size == 0, "nothing is left");
}

/* Nine insertions in three runs, one extraction; then two changes of a key. */
static int cuts_by_second_change(int first, int second)
{
    static const struct operation building[] = {{INSERT, 0, 10, 4}, {INSERT, 0, 20, 4}, {INSERT, 0, 30, 1}, {EXTRACT, 0, 0, 0}};
    struct heap heap = {.minimum = NULL};
    for (int i = 0; i < 4; i++)
        carry_out(&heap, &building[i]);
    carry_out(&heap, &(struct operation){DECREASE, first, 1, 0});
    int roots = check(&heap);
    carry_out(&heap, &(struct operation){DECREASE, second, 0, 0});
    return check(&heap) - roots;
}

int main(void)
{
    int most = 0;
    for (int round = 0; round < 8000; round++)
        try_random_operations();
    for (int first = 0; first < 9; first++)
        for (int second = 0; second < 9; second++)
            if (cuts_by_second_change(first, second) > most)
                most = cuts_by_second_change(first, second);
    demand(most == 2, "six operations are enough to cut a marked parent, too");
    return 0;
}
"""


def run_natively(folder: Path, program: str, main: str) -> str:
    """The law that does not hold, as the program prints it; how it ended, if it ended otherwise; '' when all is well."""
    source, binary = folder / "check.c", folder / "check"
    source.write_text(f'{COMMON}#include "{PROGRAMS / program}"\n{main}')
    compiler = find_compiler()
    checked = ("-fsanitize=undefined", "-fsanitize-trap=undefined")  # it ends there; no library is needed
    words = [*compiler.command, "-std=c11", "-O1", *checked, str(source), "-o", str(binary)]
    subprocess.run(words, check=True, capture_output=True, timeout=60, env=compiler_environment(compiler))
    ended = subprocess.run([str(binary)], capture_output=True, text=True, timeout=20)
    return ended.stdout.strip() or (f"ended with {ended.returncode}" if ended.returncode else "")


@pytest.mark.parametrize(("program", "main"), [("tree.c", TREE), ("heap.c", HEAP)], ids=["tree", "heap"])
def test_laws_hold(program: str, main: str, tmp_path: Path) -> None:
    assert run_natively(tmp_path, program, main) == ""


def test_a_broken_law_is_noticed(tmp_path: Path) -> None:
    """A tree that forgets to turn after an insertion."""
    text = (PROGRAMS / "tree.c").read_text()
    assert text.count("rotate(tree, grandparent, opposite(side));") == 1
    (tmp_path / "broken.c").write_text(text.replace("rotate(tree, grandparent, opposite(side));", ""))
    assert run_natively(tmp_path, str(tmp_path / "broken.c"), TREE) == "no red node has a red child"
