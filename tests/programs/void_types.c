// function: handle
// What a `void *` leads to is what the code casts it to: one of several structs is tried after the other.
struct text { int kind; char *name; };
struct number { int kind; double value; struct number *next; };

int handle(int kind, void *data)
{
    if (!data) // expect branch: covered
        return -1;
    if (kind == 1) {
        struct text *text = data;
        if (text->name && text->name[0] == 'k')
            return 1;
    } else {
        struct number *number = data;
        if (number->next && number->next->value > 2.0)
            return 2;
    }
    return 0;
}
