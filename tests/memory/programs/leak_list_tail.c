// Freeing a list stops at a node with a certain value and forgets the rest.
// bug: memory-leak
// access: none
// good: abc
// bad: axc
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    char value;
};

static struct node *head;

__attribute__((noinline)) static void add(char c)
{
    struct node *n = malloc(sizeof *n); /* BUG */
    *n = (struct node){ head, c };
    head = n;
}

__attribute__((noinline)) static void clear(void)
{
    while (head && head->value != 'x') {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    head = NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (const char *p = argv[1]; *p; p++) add(*p);
    clear();
    printf("%s\n", head ? "left" : "empty");
    return 0;
}
