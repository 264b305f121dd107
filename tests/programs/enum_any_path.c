// function: level_of
// options: --input 'config->level = any'
enum level { LOW, HIGH };
struct config { enum level level; enum level other; };
int level_of(const struct config *config)
{
    if (config->level > HIGH)  // expect branch: covered
        return -1;
    if (config->other > HIGH)  // expect branch(true): infeasible
        return -2;
    return 0;
}
