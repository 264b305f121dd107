// function: overlaps
struct span { int from, to; };
struct pair { struct span first, second; char names[2]; };

int overlaps(struct pair p, struct span limit)
{
    if (p.first.from > p.first.to || p.second.from > p.second.to)  // expect branch: covered
        return -1;
    if (p.first.to < p.second.from || p.second.to < p.first.from)  // expect branch: covered
        return 0;
    if (p.names[0] == p.names[1] && p.first.from >= limit.from)  // expect branch: covered
        return 2;
    return 1;
}
