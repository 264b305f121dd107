// function: has_message
// The driver assigned to the elements, which are const.
extern char *const messages[3];

int has_message(int i)
{
    if (messages[i & 1])  // expect branch: covered
        return 1;
    return 0;
}
