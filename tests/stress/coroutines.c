// Stacks of the program's own, from malloc and mmap, with local variables on them that get away, and signals on an alternate stack.
// stdin: 16
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { COUNT = 8, STACK = 64 << 10 };
static ucontext_t back, contexts[COUNT];
static long *shown[COUNT];
static volatile long signals;

static void handler(int number)
{
    char text[32];
    snprintf(text, sizeof text, "%d", number);
    signals += (long)strlen(text);
}

static __attribute__((noinline)) long look(const long *at, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) s += at[i];
    return s;
}

static void body(int me)
{
    long local[8] = { me };
    shown[me] = local;
    for (int round = 1; round < 2000; round++) {
        char text[1 + round % 30];
        memset(text, round, sizeof text);
        local[round & 7] += look(local, 8) % 1000 + text[0];
        if (round % 500 == 0) raise(SIGUSR1);
        swapcontext(&contexts[me], &back);
    }
    local[0] = 1;
}

int main(void)
{
    long total = getchar() & 1;
    char *alternate = malloc(STACK);
    stack_t stack = { .ss_sp = alternate, .ss_size = STACK };
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int rounds = 0; rounds < 5; rounds++) {
        void *stacks[COUNT];
        for (int i = 0; i < COUNT; i++) {
            stacks[i] = i % 2 ? malloc(STACK) : mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            getcontext(&contexts[i]);
            contexts[i].uc_stack.ss_sp = stacks[i];
            contexts[i].uc_stack.ss_size = STACK;
            contexts[i].uc_link = &back;
            makecontext(&contexts[i], (void (*)(void))body, 1, i);
        }
        for (int round = 1; round < 2000; round++)
            for (int i = 0; i < COUNT; i++) {
                swapcontext(&back, &contexts[i]);
                total += look(shown[i], 8) & 7;
            }
        for (int i = 0; i < COUNT; i++) {
            swapcontext(&back, &contexts[i]);
            if (i % 2) free(stacks[i]);
            else munmap(stacks[i], STACK);
        }
        for (int k = 0; k < 400; k++) { /* where stacks were */
            char *block = calloc(1, STACK);
            for (int at = 0; at < STACK; at += 64) total += look((long *)(void *)(block + at), 8);
            free(block);
        }
    }
    printf("%ld %ld\n", total, signals);
    return 0;
}
