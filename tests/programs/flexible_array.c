// function: sum_packet
struct packet { unsigned char count; short items[]; };
int sum_packet(const struct packet *packet)
{
    int sum = 0;
    if (!packet || packet->count > 8)  // expect branch: covered
        return -1;
    for (int at = 0; at < packet->count; at++)
        sum += packet->items[at];
    return sum == 30 ? 1 : 0;
}
