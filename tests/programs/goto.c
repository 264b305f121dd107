// function: retry
int retry(int request, int tries)
{
    int result = -1;
    if (request < 0)  // expect branch: covered
        goto fail;
    if (tries > 3)  // expect branch: covered
        tries = 3;
again:
    if (tries <= 0)  // expect branch: covered
        goto fail;
    tries--;
    if (request % 7 != tries)  // expect branch: covered
        goto again;
    result = tries;
fail:
    if (result > 2)  // expect branch(true): infeasible; branch(false): covered
        return 99;
    return result;
}
