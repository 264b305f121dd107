// function: append
struct node { struct node *next; int id; };
int append(struct node **head, struct node *fresh)
{
    int count = 0;
    if (!fresh)  // expect branch: covered
        return -1;
    while (*head) {
        head = &(*head)->next;
        count++;
    }
    *head = fresh;
    return count == 2 ? 1 : 0;
}
