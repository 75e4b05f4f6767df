// Trimming a line of blanks only goes on before its first character.
// bug: heap-underflow
// access: read 1
// good-stdin: a \n
// bad-stdin: \n
// asan: yes
// valgrind: yes
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, stdin);
    if (length > 0) {
        while (isspace((unsigned char)line[length - 1])) /* BUG */
            length--;
        printf("%zd\n", length);
    }
    free(line);
    return 0;
}
