// function: whole_word
// A bit-field is read through its bytes.
struct flags { unsigned a : 4, b : 4, c : 24; };
int whole_word(const struct flags *flags)
{
    unsigned whole = *(const unsigned *)flags;
    if (whole == 0x12345678u)  // expect branch: covered
        return 1;
    return 0;
}
