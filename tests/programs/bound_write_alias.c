// function: move
// Written through one, read through the other: with sharing the third branch is possible.
struct pair { int a; int b; };
int move(struct pair *to, const struct pair *from)
{
    to->a = 1;
    if (from->a != 1)
        return 0;
    to->a = 2;
    if (from->a == 2)  // expect branch: covered
        return 1;
    return 2;
}
