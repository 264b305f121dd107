// function: remember
// Who casts `const` away writes to what another pointer may lead to.
struct entry { int key, cache; };
int remember(const struct entry *entry, const int *key)
{
    if (!entry || !key)
        return 0;
    int before = *key;
    ((struct entry *)entry)->cache = ~before;
    if (*key != before)  // expect branch(true): unknown
        return 1;
    return 2;
}
