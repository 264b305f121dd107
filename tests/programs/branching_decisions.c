// function: above
// options: --decisions branching
int above(int level, int limit)
{
    int is_above = level > limit;
    return is_above && level;                 // expect mcdc: covered; decision: covered
}
