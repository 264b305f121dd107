// function: shape_of
struct shape { enum { CIRCLE, BOX } kind; union { struct { double radius; }; struct { int w, h; }; }; };
int shape_of(struct shape shape)
{
    if (shape.kind == BOX && shape.w == shape.h)  // expect branch: covered
        return 1;
    return shape.kind == CIRCLE && shape.radius > 2.0;
}
