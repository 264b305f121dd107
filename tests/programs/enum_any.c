// function: is_known
// options: --enum any
enum state { OFF, ON };

int is_known(enum state state)
{
    switch (state) {
    case OFF:  // expect branch: covered
    case ON:  // expect branch: covered
        return 1;
    default:  // expect branch(default): covered
        return 0;
    }
}
