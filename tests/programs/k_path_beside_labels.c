// function: walk
// Predicates of labels that contain branches do not interrupt a path.
struct node { int value; struct node *next; };
int walk(struct node *p, struct node *q, int a)
{
    int r = 0;
    if (p && p->value > 2) // expect k-path: covered; limit: covered
        r = 1;
    if (q && q->next && q->next->value == a) // expect k-path: covered; limit: covered
        r += 2;
    if (a > 7) // expect limit: covered
        r += 4;
    return r;
}
