// function: area
// A global whose type has no name.
static struct { int width, height; struct { char tag; } *extra; } screen;
int area(void)
{
    if (screen.width > 10 && screen.extra && screen.extra->tag == 't')  // expect branch: covered
        return screen.width * screen.height;
    return 0;
}
