// function: deep
struct inner { int *value; }; struct middle { struct inner *inner; }; struct outer { struct middle *middle; };
int deep(const struct outer *outer)
{
    if (!outer || !outer->middle || !outer->middle->inner)
        return 0;
    if (outer->middle->inner->value)  // expect branch(true): unknown
        return 1;
    return 2;
}
