// A struct is found from the address of one of its later members.
// bug: none
// access: none
// good: 0
// bad: 3
// asan: no
// valgrind: no
#include <stddef.h>
#include <stdio.h>

struct link {
    struct link *next;
};

struct task {
    char name[8];
    struct link link;
};

static struct task *task_of(struct link *l)
{
    return (struct task *)((char *)l - offsetof(struct task, link));
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct task tasks[4] = { { "one", { NULL } }, { "two", { NULL } }, { "three", { NULL } } };
    struct link *l = &tasks[argv[1][0] & 3].link;
    printf("%s\n", task_of(l)->name);
    return 0;
}
