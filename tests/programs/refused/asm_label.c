// function: renamed
int renamed(int a) __asm__("another");

int renamed(int a)  // expect refused: another name
{
    return a > 1;
}
