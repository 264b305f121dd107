// function: member
// The object is the whole: an array member that overflows into the next member is not noticed, the end of the struct is.
struct record { char name[4]; int next; };
static struct record records[3];

int member(int k, unsigned char i)
{
    struct record one = {"abc", 7};
    if (k == 1)
        return one.name[k + 3] == 7;
    if (k == 2)
        return one.name[k + 6] == 7;  // expect outcome(read out of bounds): crashed
    if (k == 3)
        return records[k - 3].name[8] == records[1].name[0];
    if (k == 4)
        return records[i].next;  // expect outcome(read out of bounds): crashed
    if (k == 5)
        records[i].name[3] = 1;  // expect outcome(write out of bounds): crashed
    if (k == 6)
        return (&one)[1].next;  // expect outcome(read out of bounds): crashed
    return 0;
}
