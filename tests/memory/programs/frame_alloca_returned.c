// Memory from alloca is used after the frame that owned it is gone.
// bug: use-after-return
// access: read 1
// good: h
// bad: a
// asan: yes
// valgrind: yes
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static char kept[8] = "kept";

__attribute__((noinline)) static char *make(int temporary)
{
    char *text = alloca(8);
    strcpy(text, "temp");
    return temporary ? text : kept;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = make(argv[1][0] == 'a');
    printf("%d\n", *(volatile char *)text == 'k'); /* BUG */
    return 0;
}
