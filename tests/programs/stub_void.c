// function: warn
// A function without a body and without a result does nothing; that it was called is observed.
extern void log_message(const char *format, ...);

int warn(int level)
{
    if (level > 3) { // expect branch: covered
        log_message("level %d", level);
        return 1;
    }
    return 0;
}
