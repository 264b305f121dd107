// function: advance
// A pointer that is moved far beyond its object may lead into one that the test does not have: what it leads to is no
// part of the test.
struct item { struct item *next; char text[4]; };
struct cursor { char *place; unsigned short step; struct item *item; };

int advance(struct cursor *cursor)
{
    cursor->place = cursor->place + cursor->step;
    if (cursor->step == 3)              // expect branch: covered
        return 1;
    if (cursor->step > 40)              // expect branch: covered
        return 2;
    if (cursor->item == 0)              // expect branch: covered
        return 3;
    return cursor->item->text[0];
}
