// function: f
// Names that a test needs for itself.
struct value { int result; };
int f(struct value *value, int result, int expected_value, int value_object)
{
    if (value->result == result && expected_value > value_object)  // expect branch: covered
        value->result = 0;
    return value->result;
}
