// function: find
// Pointers of a global stay as its initialiser says; somebody may have changed them before the call.
struct config { const char *name; int level; };
struct config config = {"abc", 3};
int find(unsigned at)
{
    if (at > 2)  // expect branch: covered
        return 0;
    if (config.name[at] == 'z')  // expect branch(true): unknown
        return 1;
    return 2;
}
