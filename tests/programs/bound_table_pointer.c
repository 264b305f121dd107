// function: run
struct command { const char *name; int cost; };
static struct command commands[2] = {{"go", 3}, {"stop", 5}};
int run(int x)
{
    if (x > 0 && x < 100) {
        if (commands[0].name[0] == x && x == 'z')  // expect branch#1(true): unknown; branch#2(true): infeasible; branch#2(false): unknown
            return 1;
    }
    return commands[1].cost == 5;
}
