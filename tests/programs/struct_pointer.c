// function: withdraw
struct account { long balance; unsigned short failures; _Bool locked; };

int withdraw(struct account *account, long amount)
{
    if (account->locked)  // expect branch: covered
        return -1;
    if (amount <= 0 || amount > account->balance) {  // expect branch: covered
        if (++account->failures >= 3)  // expect branch: covered
            account->locked = 1;
        return 0;
    }
    account->balance -= amount;
    if (account->locked)  // expect branch(true): infeasible; branch(false): covered
        return -2;
    if (account->balance == 0)  // expect branch: covered
        return 2;
    return 1;
}
