// function: starts_with
// A text that has its length in front of it, in one of two headers: the last byte of both says which one it is.
#include <stdint.h>

struct __attribute__((packed)) short_header { uint8_t length, room; unsigned char kind; char text[]; };
struct __attribute__((packed)) long_header { uint32_t length, room; unsigned char kind; char text[]; };

static unsigned length_of(const char *text)
{
    if (text[-1] == 1)
        return ((const struct short_header *)(text - sizeof(struct short_header)))->length;
    return ((const struct long_header *)(text - sizeof(struct long_header)))->length;
}

int starts_with(const char *text, char first)
{
    unsigned length = length_of(text);
    if (length > 0 && text[0] == first) // expect mcdc: covered
        return 1;
    return length > 70000 ? 2 : 0; // expect branch: covered
}
