// The link of a node is read after the node was freed.
// bug: use-after-free
// access: read 8
// good: n
// bad: f
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){ list, i };
        list = n;
    }
    struct node *second = list->next;
    if (argv[1][0] == 'f') free(list);
    struct node *third = list->next->next; /* BUG */
    printf("%d\n", third->value);
    if (argv[1][0] != 'f') free(list);
    free(second);
    free(third);
    return 0;
}
