/* A scheduler with three priorities: the arguments say how many jobs each starts with, commands come from standard
 * input, one per line. Whole program. Function under test: main */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGHEST 3
#define LONGEST_LINE 64

enum status {
    OK,
    END_OF_INPUT,
    NO_COMMAND,
    BAD_PRIORITY,
    BAD_RATIO,
    NO_MEMORY
};

enum command {
    NEW_JOB = 1,
    UPGRADE,
    BLOCK,
    UNBLOCK,
    QUANTUM,
    FINISH,
    FLUSH
};

struct job {
    struct job *next;
    int number;
    int priority;
    int quanta;
};

struct queue {
    struct job *head;
    int length;
};

/* 0: blocked; 1 to HIGHEST: ready */
static struct queue queues[HIGHEST + 1];
static struct job *current;
static int next_number;

static const struct {
    const char *name;
    enum command command;
} names[] = {
    {"new", NEW_JOB}, {"upgrade", UPGRADE}, {"block", BLOCK}, {"unblock", UNBLOCK},
    {"quantum", QUANTUM}, {"finish", FINISH}, {"flush", FLUSH},
};

static void append(struct queue *queue, struct job *job)
{
    struct job **end = &queue->head;
    while (*end != NULL)
        end = &(*end)->next;
    *end = job;
    job->next = NULL;
    queue->length++;
}

static struct job *take_nth(struct queue *queue, int n)
{
    struct job **at = &queue->head, *found;
    if (n < 0 || n >= queue->length)
        return NULL;
    while (n-- > 0)
        at = &(*at)->next;
    found = *at;
    *at = found->next;
    queue->length--;
    return found;
}

static struct job *choose_next(void)
{
    int priority;
    if (current != NULL)
        return current;
    for (priority = HIGHEST; priority > 0; priority--)
        if (queues[priority].length > 0) {
            current = take_nth(&queues[priority], 0);
            return current;
        }
    return NULL;
}

static int put_back(void)
{
    if (current == NULL)
        return OK;
    if (current->priority < 1 || current->priority > HIGHEST)
        return BAD_PRIORITY;
    append(&queues[current->priority], current);
    current = NULL;
    return OK;
}

static int new_job(int priority)
{
    struct job *job;
    if (priority < 1 || priority > HIGHEST)
        return BAD_PRIORITY;
    job = malloc(sizeof *job);
    if (job == NULL)
        return NO_MEMORY;
    job->number = next_number++;
    job->priority = priority;
    job->quanta = 0;
    append(&queues[priority], job);
    if (current != NULL && current->priority < priority) {
        int status = put_back();
        choose_next();
        return status;
    }
    return OK;
}

static int nth_of(const struct queue *queue, float ratio)
{
    int n = (int)(queue->length * ratio);
    return n >= queue->length ? queue->length - 1 : n;
}

static int upgrade(int priority, float ratio)
{
    struct job *job;
    if (priority < 1 || priority >= HIGHEST)
        return BAD_PRIORITY;
    if (ratio < 0.0f || ratio > 1.0f)
        return BAD_RATIO;
    job = take_nth(&queues[priority], nth_of(&queues[priority], ratio));
    if (job == NULL)
        return OK;
    job->priority = priority + 1;
    append(&queues[job->priority], job);
    return OK;
}

static int block(void)
{
    struct job *job = choose_next();
    if (job != NULL) {
        current = NULL;
        append(&queues[0], job);
        choose_next();
    }
    return OK;
}

static int unblock(float ratio)
{
    struct job *job;
    if (ratio < 0.0f || ratio > 1.0f)
        return BAD_RATIO;
    job = take_nth(&queues[0], nth_of(&queues[0], ratio));
    if (job != NULL) {
        append(&queues[job->priority], job);
        if (current != NULL && current->priority < job->priority)
            return put_back();
    }
    return OK;
}

static int quantum(void)
{
    struct job *job = choose_next();
    if (job == NULL)
        return OK;
    job->quanta++;
    if (job->quanta >= 3 && job->priority > 1) {
        job->priority--;
        job->quanta = 0;
        printf("job %d: now of priority %d\n", job->number, job->priority);
    }
    return put_back();
}

static int finish(void)
{
    struct job *job = choose_next();
    if (job != NULL) {
        current = NULL;
        printf("job %d of priority %d: done\n", job->number, job->priority);
        free(job);
        choose_next();
    }
    return OK;
}

static int flush(void)
{
    while (choose_next() != NULL)
        finish();
    return OK;
}

static int read_command(char *line, int *command, int *priority, float *ratio)
{
    char word[16];
    size_t i;
    if (fgets(line, LONGEST_LINE, stdin) == NULL)
        return END_OF_INPUT;
    *command = *priority = 0;
    *ratio = -1.0f;
    if (sscanf(line, "%15s", word) != 1 || word[0] == '#')
        return NO_COMMAND;
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i].name) == 0)
            *command = names[i].command;
    if (*command == 0)
        sscanf(word, "%d", command);
    switch (*command) {
    case UPGRADE:
        if (sscanf(line, "%*s%d%f", priority, ratio) != 2)
            return NO_COMMAND;
        break;
    case NEW_JOB:
        if (sscanf(line, "%*s%d", priority) != 1)
            return NO_COMMAND;
        break;
    case UNBLOCK:
        if (sscanf(line, "%*s%f", ratio) != 1)
            return NO_COMMAND;
        break;
    default:
        break;
    }
    return OK;
}

static int perform(int command, int priority, float ratio)
{
    switch (command) {
    case NEW_JOB: return new_job(priority);
    case UPGRADE: return upgrade(priority, ratio);
    case BLOCK: return block();
    case UNBLOCK: return unblock(ratio);
    case QUANTUM: return quantum();
    case FINISH: return finish();
    case FLUSH: return flush();
    default: return NO_COMMAND;
    }
}

int main(int argc, char *argv[])
{
    char line[LONGEST_LINE];
    int command, priority, status, faults = 0;
    float ratio;

    if (argc < HIGHEST + 1) {
        fprintf(stderr, "usage: %s LOW MIDDLE HIGH\n", argv[0]);
        return 1;
    }
    for (priority = HIGHEST; priority > 0; priority--) {
        int wanted = atoi(argv[priority]);
        if (wanted < 0 || wanted > 50) {
            fprintf(stderr, "bad number of jobs: %s\n", argv[priority]);
            return 1;
        }
        for (; wanted > 0; wanted--)
            if (new_job(priority) != OK)
                return 1;
    }
    while ((status = read_command(line, &command, &priority, &ratio)) != END_OF_INPUT) {
        if (status == OK)
            status = perform(command, priority, ratio);
        if (status == BAD_PRIORITY)
            fprintf(stderr, "bad priority: %d\n", priority);
        else if (status == BAD_RATIO)
            fprintf(stderr, "bad ratio: %f\n", (double)ratio);
        if (status != OK && ++faults > 2) {
            fprintf(stderr, "too many faults\n");
            exit(3);
        }
    }
    flush();
    return faults > 0 ? 2 : 0;
}
