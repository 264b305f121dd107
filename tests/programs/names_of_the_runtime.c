// function: pin
/* The runtime has functions of these names too. */
static int is_constant(int a) { return a == 7; }

static int find_object(int a) { return a > 20; }

static int add_event(int a) { return is_constant(a) || find_object(a); }

int make_node(int a) { return add_event(a) && a < 30; }

int pin(int a)
{
    if (make_node(a))  // expect branch(true): covered; branch(false): covered
        return 1;
    return 0;
}
