// function: on_event
// A `void *` is cast to what it is.
struct context {
    int calls;
    short limit;
    double scale;
};

int on_event(void *opaque)
{
    struct context *context = opaque;
    if (++context->calls > context->limit)  // expect branch: covered
        return 0;
    if (context->scale > 2.5)
        return 2;
    return 1;
}
