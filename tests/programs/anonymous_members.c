// function: hidden
struct outer { int tag; struct { int x; union { int y; float z; }; }; };
int hidden(const struct outer *outer)
{
    if (outer->tag == 1 && outer->x == 2 && outer->y == 3)  // expect branch: covered
        return 1;
    return 0;
}
