// function: note
// A global that is only written may be what the pointer leads to.
int level;
int note(const int *value)
{
    int before = *value;
    level = before + 1;
    if (*value != before)  // expect branch(true): unknown
        return 1;
    return 0;
}
