/* Counts the characters of seven bytes of UTF-8, as RFC 3629 defines it: no overlong forms, no
 * surrogates, nothing above U+10FFFF. A negative answer tells what is wrong. */

enum { BAD_LEAD = -1, CUT_SHORT = -2, BAD_SECOND = -3, BAD_CONTINUATION = -4 };

int validate(const unsigned char text[7])
{
    int at = 0;
    int characters = 0;
    while (at < 7) {
        unsigned lead = text[at];
        unsigned lowest = 0x80, highest = 0xBF; /* what the second byte may be */
        int more;
        if (lead < 0x80) {
            more = 0;
        } else if (lead >= 0xC2 && lead <= 0xDF) {
            more = 1;
        } else if (lead >= 0xE0 && lead <= 0xEF) {
            more = 2;
            if (lead == 0xE0)
                lowest = 0xA0;
            if (lead == 0xED)
                highest = 0x9F;
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            more = 3;
            if (lead == 0xF0)
                lowest = 0x90;
            if (lead == 0xF4)
                highest = 0x8F;
        } else {
            return BAD_LEAD;
        }
        if (at + more >= 7)
            return CUT_SHORT;
        if (more > 0 && (text[at + 1] < lowest || text[at + 1] > highest))
            return BAD_SECOND;
        for (int i = 2; i <= more; i++)
            if ((text[at + i] & 0xC0) != 0x80)
                return BAD_CONTINUATION;
        at += more + 1;
        characters++;
    }
    return characters;
}
