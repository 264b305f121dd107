// function: run_command
// The answers of fork(), execv() and waitpid() are inputs, and nothing is started. The static local gives each test a
// process of its own, for which the test calls the real fork().
#include <sys/wait.h>
#include <unistd.h>

int run_command(const char *path, char *const words[])
{
    static int started;
    int status = 0;
    pid_t child = fork();
    if (child < 0) // expect branch: covered
        return -1;
    if (child == 0) { // expect branch: covered
        if (execv(path, words) == 0) // expect branch(true): unknown; branch(false): covered
            return 0;
        return 127;
    }
    started++;
    if (waitpid(child, &status, 0) < -1) // expect branch(true): unknown; branch(false): covered
        return -2;
    if (status & 127) // expect branch: covered
        return -started;
    return status >> 8;
}
