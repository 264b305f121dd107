// function: parse
// Where `__packed` is known, `size` follows `kind` at once.
#include <string.h>

__packed struct head { unsigned char kind; unsigned short size; unsigned char sum; };

int parse(void)
{
    unsigned char bytes[8] = {1, 7, 0, 9};
    struct head head;
    memcpy(&head, bytes, sizeof head);
    if (head.size == 7) // expect branch(true): unknown
        return 1;
    return 0;
}
