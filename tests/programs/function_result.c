// function: choose
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
typedef int (*operation)(int, int);
operation choose(char sign)
{
    switch (sign) {  // expect branch: covered
    case '+': return add;
    case '-': return subtract;
    }
    return 0;
}
