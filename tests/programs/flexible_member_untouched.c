// function: kind_of
/* Nobody reads the flexible array member, which has no sizeof. */
struct message {
    int kind;
    int length;
    unsigned char data[];
};

int kind_of(const struct message *m)
{
    if (m->kind == 3)                                   // expect branch: covered
        return 1;
    return 0;
}
