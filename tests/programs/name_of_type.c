// function: size
// Parameters that are called like types, the function and a member of an enum.
typedef int word;
enum unit { meter, foot };
int size(word word, int size, enum unit unit, int foot)
{
    if (word > 3 && size == foot)  // expect branch: covered
        return unit == meter ? 1 : 2;
    return 0;
}
