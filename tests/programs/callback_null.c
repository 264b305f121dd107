// function: notify
// A NULL that the C does not look for is not called.
void notify(void (*callback)(int), int level)
{
    if (level > 3)  // expect branch: covered
        callback(level);
}
