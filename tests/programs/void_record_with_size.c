// function: call_back
// A pointer to anything beside its size, which the code casts to a record once the size fits: it leads to that record,
// not to so many bytes, in which no function pointer can be.
#include <stddef.h>

struct input { int left; };
struct field;
struct callback {
    int (*decode)(struct input *in, const struct field *field, void **argument);
    void *argument;
};
struct field { unsigned short data_size; void *data; };

int call_back(struct input *in, const struct field *field)
{
    if (field->data_size == sizeof(struct callback)) {              // expect branch: covered
        struct callback *back = field->data;
        if (back != NULL) {                                         // expect branch: covered
            if (in != NULL && back->decode != NULL)                 // expect mcdc: covered
                return back->decode(in, field, &back->argument);
        }
    }
    return 1;
}
