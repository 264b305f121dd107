// function: level
int level(unsigned x)
{
    switch (x & 3) {  // expect branch(default): infeasible
    case 0: return 10;  // expect branch(case 0): covered
    case 1: return 20;  // expect branch(case 1): covered
    case 2: return 30;  // expect branch(case 2): covered
    case 3: return 40;  // expect branch(case 3): covered
    case 4: return 50;  // expect branch(case 4): infeasible
    }
    return -1;
}
