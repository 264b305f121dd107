// function: days
int days(int month, int year)
{
    int days = 0;
    switch (month) {
    case 2:  // expect branch(case 2): covered
        days = 28;
        if (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))  // expect branch: covered
            days++;
        break;
    case 4:  // expect branch: covered
    case 6:  // expect branch: covered
    case 9:  // expect branch: covered
    case 11:  // expect branch: covered
        days--;
        /* fall through */
    case 1: case 3: case 5: case 7: case 8: case 10: case 12:  // expect branch: covered
        days += 31;
        break;
    default:  // expect branch(default): covered
        return 0;
    }
    return days;
}
