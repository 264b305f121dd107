// assume: a < 3
// domain: a=0..2
// unknown: shape
/* Functions that are not there get pointers, and give some back. */
struct packet { int size; unsigned char body[2]; };
int receive(struct packet *packet);
const int *lookup(int key);
void notify(int *count);
static int seen;
static int total(const struct packet *p)
{
    int sum = 0;
    for (int i = 0; i < p->size && i < 2; i++)
        sum += p->body[i];
    return sum;
}
int f(unsigned char a)
{
    struct packet packet = {a, {1, 2}};
    int count = a;
    if (receive(&packet) < 0)
        return 0;
    notify(&count);
    const int *found = lookup(count);
    if (found && *found > count)
        return 1;
    seen = total(&packet);
    if (seen == 3 && count == 1)
        return 2;
    return packet.size == count;
}
