// function: handle
struct handler { int code; int (*run)(int); };
static int up(int n) { return n + 1; }
static struct handler handlers[2] = {{1, up}, {2, 0}};
int handle(int code, int n)
{
    for (int at = 0; at < 2; at++)
        if (handlers[at].code == code && handlers[at].run)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): covered
            return handlers[at].run(n) == 5;
    return -1;
}
