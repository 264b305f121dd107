// function: tell
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is printed goes nowhere, and the path stays exact. */
int tell(int level, const char *name)
{
    FILE *to = level > 3 ? stderr : stdout;  // expect branch: covered
    printf("%d %s\n", level, "text");
    fprintf(stderr, "level %d\n", level);
    puts("line");
    putchar('c');
    fputs("text", to);
    fputc('c', stdout);
    putc('c', stderr);
    fwrite("text", 1, 4, stdout);
    perror("none");
    fflush(stdout);
    fflush(NULL);
    fprintf(stderr, "%s\n", strerror(level));
    write(STDOUT_FILENO, "text", 4);
    if (level > 5 && level < 5)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 1;
    return 0;
}
