// The count of records in the header is not checked against the block.
// bug: heap-overflow
// access: write 20
// good-stdin: 2aaaabbbb
// bad-stdin: 5aaaabbbbccccddddeeee
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int count = getchar() & 7;
    char *records = calloc(4, 4);
    size_t got = fread(records, 4, count, stdin); /* BUG */
    printf("%zu %c\n", got, records[0]);
    free(records);
    return 0;
}
