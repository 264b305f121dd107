// function: store
// A `void *` leads to a number in some places and to a record with a function pointer in others: the number is no part
// of an address, on which nothing that is tested may depend.
struct call {
    int (*run)(int);
    void *argument;
};
struct field {
    int kind;
    void *size;
};

int store(struct field *field)
{
    if (field->kind == 1) {
        unsigned short *size = field->size;
        if (*size == 3) // expect branch: covered; mcdc: covered
            return 1;
        *(_Bool *)field->size = 1;
    } else if (field->size) {
        struct call *call = field->size;
        if (call->run)
            return call->run(2);
    }
    return 0;
}
