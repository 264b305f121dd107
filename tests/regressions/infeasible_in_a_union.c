// function: flags
// The member that leaves no bit to chance is given the values.
union status { struct { unsigned ready : 1, mode : 3; } fields; _Bool is_set; unsigned raw; };
int flags(union status status)
{
    if (status.raw & 0x80000000u)  // expect branch: covered
        return 1;
    if (status.fields.mode == 5)  // expect branch: covered
        return 2;
    return 0;
}
