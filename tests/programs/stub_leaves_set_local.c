// function: drain
// The unit sets `rest` before it calls through the pointer. A stub that always wrote it could only give `rest.read` a
// function of this file, so that `rest` would never be what the caller gave.
struct stream {
    int (*read)(struct stream *);
    unsigned long left;
};
static int read_none(struct stream *stream)
{
    stream->left = 0;
    return 1;
}
int drain(struct stream *from, int (*decode)(struct stream *, int))
{
    struct stream rest;
    if (from == 0 || from->read == 0 || decode == 0)
        return -1;
    rest = *from;
    if (from->read == read_none)                // expect branch: covered
        return 0;
    if (!decode(&rest, 1))                         // expect branch: covered
        return -2;
    if (rest.left > 4)                          // expect branch: covered
        return 2;
    if (rest.read == 0)                         // expect branch: covered
        return 3;
    if (!rest.read(&rest))                      // expect branch: covered
        return 4;
    return 5;
}
