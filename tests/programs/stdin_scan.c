// function: main
// options: --input 'stdin = array 8'
// expect outcome: returned
#include <stdio.h>

int main(void)
{
    int a, b;
    char op;
    if (scanf("%d %c %d", &a, &op, &b) != 3)  // expect branch: covered
        return 2;
    switch (op) {
    case '+':  // expect branch: covered
        if (a + b == -12)  // expect branch: covered
            return 5;
        return 6;
    case '/':  // expect branch: covered
        if (b == 0)  // expect branch: covered
            return 3;
        return a / b == 4;
    }
    return 4;
}
