// The comparison function looks up a rank for a letter that has none.
// bug: heap-overflow
// access: read 4
// good: cab
// bad: cad
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *ranks;

static int by_rank(const void *a, const void *b)
{
    unsigned x = (unsigned)(*(const char *)a & 15), y = (unsigned)(*(const char *)b & 15);
    return ranks[x] - ranks[y]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) > 8) return 2;
    char word[9];
    strcpy(word, argv[1]);
    ranks = calloc(4, sizeof *ranks);
    for (int i = 0; i < 4; i++) ranks[i] = 4 - i;
    qsort(word, strlen(word), 1, by_rank);
    printf("%s\n", word);
    free(ranks);
    return 0;
}
