// function: identify
// options: --max-runs 300
// Data at a constant address that is not volatile: what is only read does not change.
#define IDENTITY (*(const unsigned *)0x1fff7590)
#define LOCK (*(unsigned *)0x40022004)

int identify(void)
{
    if (IDENTITY == 77) {  // expect branch: covered
        LOCK = 1;
        if (IDENTITY != 77)  // expect branch(true): infeasible
            return 1;
        return 2;
    }
    LOCK = 2;
    return IDENTITY > 100;
}
