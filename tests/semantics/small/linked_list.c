// assume: a < 8
// domain: a=0..7
/* A list of locals, whose order depends on the input. */
struct node { int value; struct node *next; };
int f(unsigned char a)
{
    struct node one = {1, 0}, two = {2, 0}, three = {3, 0}, *head = &one;
    one.next = a & 1 ? &two : &three;
    if (a & 2)
        two.next = &three;
    if (a & 4 && one.next == &three)
        three.next = &two;
    int sum = 0, length = 0;
    for (struct node *n = head; n && length < 5; n = n->next) {
        sum = sum * 10 + n->value;
        length++;
    }
    if (sum == 123)
        return 1;
    if (sum == 132 && length == 3)
        return 2;
    if (length == 2 && sum == 12)
        return 3;
    if (length > 3)
        return 4;
    return sum == 1;
}
