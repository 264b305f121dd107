// function: make_pair
struct pair { short first; long second; const char *name; };
int make_pair(struct pair *out, short value)
{
    if (!out)  // expect branch: covered
        return 0;
    out->first = value;
    out->second = value > 7 ? -1 : 1;
    out->name = "pair";
    return 1;
}
