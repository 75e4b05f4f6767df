// One thread measures a name in a struct while another reads the rest of the struct.
// bug: none
// access: none
// good: 1
// bad: 9
// asan: no
// valgrind: no
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct record {
    char name[8];
    volatile int values[6];
} record = { "abcdefg", { 1, 2, 3, 4, 5, 6 } }, *shared = &record;

static long total;

static void *reader(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        struct record *volatile r = shared;
        total += r->values[i % 6];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    pthread_t thread;
    size_t length = 0;
    if (pthread_create(&thread, NULL, reader, NULL)) return 1;
    for (int i = 0; i < 1000 * (argv[1][0] - '0'); i++)
        length += strlen(shared->name);
    pthread_join(thread, NULL);
    printf("%ld %zu\n", total, length / 7000);
    return 0;
}
