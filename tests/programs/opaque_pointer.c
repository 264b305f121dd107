// function: has_handle
// A type that is only declared can be handed on, and compared with NULL.
struct handle;
int use(struct handle *handle);
int has_handle(struct handle *handle)
{
    if (!handle)  // expect branch: covered
        return -1;
    return use(handle) > 0;
}
