// function: allowed
int allowed(int age, _Bool member, int credit)
{
    if ((age >= 18 && member) || credit > 1000)  // expect branch#1: covered; branch#2: covered; branch#3: covered
        return 1;
    if (!(age < 18 || credit < 0) && member)  // expect branch#3(true): infeasible; branch#3(false): covered
        return 2;
    return 0;
}
