// function: dispatch
// User data in a struct: what it is cast to.
typedef struct { int hits; char label[4]; } counter;
struct event { int kind; void *user; };
int dispatch(const struct event *event)
{
    counter *mine = event->user;
    if (!mine)  // expect branch: covered
        return -1;
    if (event->kind == 2 && mine->label[0] == 'c')
        return ++mine->hits;
    return 0;
}
