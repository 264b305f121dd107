// function: fill
// A function pointer, observed as the double that it shares its bytes with: the test does not compare it.
struct expression {
    int type;
    union { double value; double (*function)(double); void *data; } as;
};

static double negate(double x) { return -x; }

void fill(struct expression *to, int type, double value)
{
    to->type = type;
    if (type == 0) // expect branch: covered
        to->as.value = value;
    else if (type == 1)
        to->as.function = negate;
    else if (type == 2)
        to->as.data = to;
    if (value > 3.0)
        to->type = 9;
}
