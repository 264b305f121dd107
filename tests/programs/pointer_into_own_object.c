// function: get
// A pointer into the object that it is in.
struct ring { char *out, *in, *limit; char data[12]; };

int get(struct ring *ring)
{
    if (ring->out == ring->in) // expect branch: covered
        return -1;
    if (ring->out == ring->data)
        return 1;
    if (ring->limit == ring->data)
        return 2;
    return *ring->out == 'a';
}
