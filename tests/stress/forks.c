// Children with the parent's heap: each frees and allocates, and so does the parent.
// stdin: 16
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 20000, CHILDREN = 50 };
static int *blocks[BLOCKS];

static int work(int round)
{
    int sum = 0;
    for (int i = round; i < BLOCKS; i += 7) {
        sum += blocks[i][i % 10];
        free(blocks[i]);
        blocks[i] = malloc((size_t)(10 + round % 5) * sizeof(int));
        blocks[i][i % 10] = i;
    }
    return sum & 63;
}

int main(void)
{
    int total = getchar();
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = calloc(10, sizeof(int));
        blocks[i][i % 10] = i;
    }
    for (int k = 0; k < CHILDREN; k++) {
        pid_t child = fork();
        if (child == 0) _exit(work(k));
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
        total += WEXITSTATUS(status) + work(k % 3);
    }
    for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
    printf("%d\n", total);
    return 0;
}
