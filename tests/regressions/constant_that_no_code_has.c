// function: step
/* No code is generated for `OFF`, and nothing else uses its enum, so that debug information does not have it. It was
   taken for any value, with which `0` would matter: covered, wrongly. */
enum mode { OFF, ON = 3, HIGHEST };

int step(int level, int speed)
{
    int is_fast = !(0 &&  // expect gacc: infeasible; mcdc: infeasible
                    OFF) &&  // expect gacc: infeasible; mcdc: infeasible
                  speed > level;  // expect gacc: covered; mcdc: covered
    if (speed > 9 ||  // expect gacc: covered
        (0 &&  // expect gacc: infeasible; mcdc: infeasible
         HIGHEST == 5))  // expect gacc: infeasible; mcdc: infeasible
        level++;
    return is_fast ? level : speed;
}
