// function: weight
struct value { enum kind { NUMBER, PAIR, TEXT } kind; union { long number; struct { short x, y; } pair; char text[8]; } as; };
int weight(const struct value *value)
{
    switch (value->kind) {  // expect branch(default): infeasible
    case NUMBER:
        return value->as.number == 1000 ? 1 : 0;
    case PAIR:
        return value->as.pair.x > value->as.pair.y ? 2 : 3;
    case TEXT:
        return value->as.text[0] == 't' ? 4 : 5;
    }
    return -1;
}
