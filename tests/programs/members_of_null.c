// function: open_link
// The address of a member of NULL, and NULL plus something: most builds compute a number that nobody uses, sanitizers
// complain. A run that does so is the last choice for a test.
struct peer { int port; char name[12]; };
struct link { int state; struct peer *peer; const char *options; int skipped; };

int look_up(const char *name, const char *options);

int open_link(struct link *link)
{
    struct peer *peer = link->peer;
    int found = look_up(peer->name, link->options + link->skipped);
    if (found != 0) {                           // expect branch: covered
        if (link->state)                        // expect branch: covered
            return -2;
        return -1;
    }
    return link->state > 7;
}
