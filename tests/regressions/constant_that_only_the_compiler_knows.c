// function: step
/* No code is generated for the size, and its syntax does not tell its value. It was taken for any value, with which `0`
   would matter: covered, wrongly. */
struct pair { char first; int second; };
enum size { NARROW = sizeof(struct pair), WIDE };

int step(int level, int speed)
{
    if (speed > 9 ||  // expect gacc: covered; mcdc: covered
        (0 &&  // expect gacc: infeasible; mcdc: infeasible
         sizeof(struct pair) == 3))  // expect gacc: infeasible; mcdc: infeasible
        level++;
    return level < speed &&  // expect gacc: covered; mcdc: covered
           (1 ||  // expect gacc: infeasible; mcdc: infeasible
            WIDE == 9);  // expect gacc: infeasible; mcdc: infeasible
}
