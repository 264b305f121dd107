// function: letter_of
int letter_of(int number, char *letter)
{
    if (!letter || number < 0 || number > 25)  // expect branch: covered
        return 0;
    *letter = (char)('a' + number);
    return 1;
}
