// function: has_message
// The driver assigned to the elements, which are const; they stay NULL, so that nothing is proved.
extern char *const messages[3];

int has_message(int i)
{
    if (messages[i & 1])  // expect branch(true): unknown
        return 1;
    return 0;
}
