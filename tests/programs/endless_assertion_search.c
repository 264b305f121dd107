// function: f
// options: --engine search
// The search knows that such a run is complete: what comes behind the loop is explored exhaustively.
int f(unsigned char n)
{
    if (n > 9) {                // expect branch(true): unknown
stop:   goto stop;
    }
    if (n > 20)                 // expect branch(true): infeasible
        return 3;
    return n == 5;
}
