// function: name_length
enum colour { RED, GREEN = 5, BLUE, BLACK = -1 };

int name_length(enum colour colour)
{
    switch (colour) {
    case RED:  // expect branch(case RED): covered
        return 3;
    case GREEN:  // expect branch(case 5): covered
    case BLACK:  // expect branch(case -1): covered
        return 5;
    case BLUE:  // expect branch: covered
        return 4;
    default:  // expect branch(default): infeasible
        return 0;
    }
}
