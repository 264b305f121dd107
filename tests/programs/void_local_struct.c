// function: on_event
// The struct is known inside of the function alone.
int on_event(void *opaque)
{
    struct local { int calls; short limit; } *local = opaque;
    if (local->calls > 7 && local->limit == 3)  // expect branch: covered
        return 0;
    return 1;
}
