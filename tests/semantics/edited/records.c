// domain: s.kind=0..3 s.size=0..3 s.flag=0..1 s.body.number=0,1,255,256
// assume: s.kind <= 3 && s.size <= 3
/* Structs by value, bit-fields, a union, and copies of them. */
typedef unsigned char u8;
enum kind { NONE, NUMBER = 2, BYTES };
struct message {
    u8 kind;
    u8 size;
    unsigned flag : 1;
    union { unsigned short number; u8 bytes[2]; } body;
};
static struct message last;
static struct message swap(struct message m)
{
    u8 first = m.body.bytes[0];
    m.body.bytes[0] = m.body.bytes[1];
    m.body.bytes[1] = first;
    m.flag = !m.flag;
    return m;
}
int f(struct message s)
{
    struct message t = s;
    if (t.kind == BYTES)
        t = swap(t);
    last = t;
    switch (last.kind) {
    case NONE:
        return 0;
    case NUMBER:
        if (last.body.number > 255 && t.size)
            return 1;
        break;
    case BYTES:
        if (last.flag && last.body.bytes[0] == 1)
            return 2;
    }
    return sizeof s == 6 && t.size == s.body.bytes[1] + 2;
}
