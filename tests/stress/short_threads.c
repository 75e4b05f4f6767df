// Three thousand threads, one after the other and four at a time: stacks, thread-local variables and what is on them are used again.
// cc: -lpthread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread char own[100];
static __thread char *mine;

struct job { const char *text; long *result; long number; };

static __attribute__((noinline)) long dig(long depth, const long *above)
{
    long here[4] = { depth, *above, 1, 2 };
    char more[1 + depth % 9];
    memset(more, (int)depth, sizeof more);
    return depth ? dig(depth - 1, here + depth % 3) + here[depth & 3] : here[1] + more[0];
}

static void *work(void *argument)
{
    struct job *job = argument;
    long start = job->number;
    mine = malloc(20);
    strcpy(own, job->text);
    strcpy(mine, own);
    *job->result = dig(job->number % 50, &start) + (long)strlen(mine);
    free(mine);
    if (job->number % 3 == 0) pthread_exit(job);
    return job;
}

int main(void)
{
    long total = 0;
    for (long i = 0; i < 750; i++) {
        pthread_t threads[4];
        struct job jobs[4];
        long results[4] = { 0 };
        char texts[4][16];
        for (long k = 0; k < 4; k++) {
            snprintf(texts[k], sizeof texts[k], "job %ld", 4 * i + k);
            jobs[k] = (struct job){ texts[k], &results[k], 4 * i + k };
            if (pthread_create(&threads[k], NULL, work, &jobs[k])) return 1;
        }
        for (int k = 0; k < 4; k++) {
            void *end;
            pthread_join(threads[k], &end);
            total += *((struct job *)end)->result;
        }
    }
    printf("%ld\n", total);
    return 0;
}
