// function: same
#include <string.h>

struct packet { short kind; unsigned char body[3]; long stamp; };

int same(const struct packet *given)
{
    struct packet copy, second;
    unsigned char raw[sizeof(struct packet)];
    memcpy(&copy, given, sizeof copy);
    second = copy;
    memset(copy.body, 0, sizeof copy.body);
    memcpy(raw, &second, sizeof raw);
    if (copy.kind == 513 && raw[0] == 1)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): infeasible
        return 1;
    if (copy.body[1] != 0)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    if (second.body[1] == 9)  // expect branch: covered
        return 3;
    memmove(raw + 1, raw, 4);
    if (raw[1] == raw[2])  // expect branch: covered
        return 4;
    return 0;
}
