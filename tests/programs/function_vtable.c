// function: draw
// Function pointers in a struct: methods.
struct shape;
struct methods {
    int (*area)(const struct shape *);
    void (*reset)(struct shape *);
};
struct shape {
    const struct methods *methods;
    int width;
};
static int square(const struct shape *shape) { return shape->width * shape->width; }
static int line(const struct shape *shape) { return shape->width; }

int draw(struct shape *shape)
{
    if (!shape->methods || !shape->methods->area)  // expect branch: covered
        return -1;
    if (shape->methods->area(shape) == 49)
        return 1;
    if (shape->methods->reset)
        shape->methods->reset(shape);
    return (void)square, (void)line, 0;
}
