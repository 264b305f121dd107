// function: sequence_feed
// options: --sequence 'feed*2'
// The declared length of an array holds in every call.
enum { SIZE = 12 };

int feed(const unsigned char bytes[SIZE])
{
    static int last = -1;
    int before = last;
    last = bytes[SIZE - 1];
    if (before == 200 && last == 100)  // expect branch: covered
        return 1;
    return 0;
}
