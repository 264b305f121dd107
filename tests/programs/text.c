// function: is_yes
int is_yes(const char answer[4])
{
    int i = 0;
    while (answer[i] == ' ' && i < 3)  // expect branch: covered
        i++;
    if (answer[i] == 'y' || answer[i] == 'Y')  // expect branch: covered
        return i == 0 || answer[i - 1] == ' ';  // expect branch: covered
    if (answer[0] < 0)  // expect branch: covered
        return -1;
    return 0;
}
