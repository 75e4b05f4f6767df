/* CPU time of a command: user + sys seconds as the kernel counts them for the
 * child and all descendants it waited for (wait4's rusage). bash's `time` has
 * three digits and mixes with the command's stderr; this has six and a file.
 *
 *   cputime [-w] -o FILE COMMAND [ARG...]
 *
 * FILE receives one line, the seconds; with -w those of the clock
 * follow. The exit status is the command's own (128 + signal if it was killed),
 * 125 if cputime itself failed. */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int status_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
    bool clock = argc > 1 && strcmp(argv[1], "-w") == 0;
    argv += clock;
    if (argc - clock < 4 || strcmp(argv[1], "-o") != 0) {
        fputs("usage: cputime [-w] -o FILE COMMAND [ARG...]\n", stderr);
        return 125;
    }
    double start = now();
    pid_t child = fork();
    if (child < 0) {
        perror("cputime: fork");
        return 125;
    }
    if (child == 0) {
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) {
        perror("cputime: wait4");
        return 125;
    }
    double wall = now() - start;
    FILE *out = fopen(argv[2], "w");
    if (!out || fprintf(out, "%.6f", seconds(usage.ru_utime) + seconds(usage.ru_stime)) < 0 ||
        (clock && fprintf(out, " %.6f", wall) < 0) || fputc('\n', out) < 0 || fclose(out) != 0) {
        perror(argv[2]);
        return 125;
    }
    return status_of(status);
}
