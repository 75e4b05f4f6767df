// A million objects at once, in a list and in a table, freed in another order.
// stdin: 16
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    char *text;
    long value;
};
enum { COUNT = 500000 };
static struct node *table[COUNT];

int main(void)
{
    struct node *list = NULL;
    long sum = 0;
    int first = getchar();
    for (long i = 0; i < COUNT; i++) {
        struct node *n = malloc(sizeof *n);
        n->text = malloc((size_t)(1 + i % 40));
        n->text[i % 40] = (char)i;
        n->value = i + first;
        n->next = list;
        list = table[i] = n;
    }
    for (struct node *n = list; n; n = n->next) sum += n->value + n->text[(n->value - first) % 40];
    for (long i = 0; i < COUNT; i++) {
        struct node *n = table[i * 7919 % COUNT];
        free(n->text);
        free(n);
    }
    printf("%ld\n", sum);
    return 0;
}
