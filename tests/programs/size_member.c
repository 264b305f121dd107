// function: push
struct stack { int size; int capacity; int *items; };
int push(struct stack *stack, int value)
{
    if (stack->size >= stack->capacity)  // expect branch: covered
        return -1;
    stack->items[stack->size++] = value;
    return stack->size == 3;
}
