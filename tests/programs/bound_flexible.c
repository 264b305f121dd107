// function: tenth
struct packet { unsigned count; int items[]; };
int tenth(const struct packet *packet)
{
    if (packet->count > 20 && packet->items[18] == 5)  // expect branch#1(true): unknown; branch#2: unknown
        return 1;
    return 0;
}
