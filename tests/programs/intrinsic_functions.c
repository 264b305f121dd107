// function: update
// Functions of other compilers without a body are stubs.
void __disable_irq(void);
unsigned __get_state(void);

int update(int x)
{
    __disable_irq();
    if (__get_state() == 5) // expect branch: covered
        return 1;
    return x;
}
