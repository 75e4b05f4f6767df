// fgets is given the size of another, larger array.
// bug: stack-overflow
// access: write
// good-stdin: yes\n
// bad-stdin: definitely\n
// asan: yes
// valgrind: no
#include <stdio.h>

int main(void)
{
    char question[32] = "continue?", answer[8] = "";
    puts(question);
    if (!fgets(answer, sizeof question, stdin)) return 2; /* BUG */
    printf("%c\n", answer[0]);
    return 0;
}
