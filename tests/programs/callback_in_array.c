// function: dispatch
// A function in an array writes through its argument.
struct message { int kind; int size; };
struct service { int (*handler[2])(struct message *message, int flags); };

int dispatch(struct service *service, int which)
{
    struct message message = {0, 0};
    if (!service || !service->handler[which & 1])
        return -1;
    if (service->handler[which & 1](&message, 3) < 0)
        return -2;
    if (message.kind == 7) // expect branch: covered
        return 1;
    return 0;
}
