// function: turn
double _Complex turn(double angle)  // expect refused: _Complex
{
    return angle > 0 ? angle * 1.0i : angle;
}
