// longjmp leaves blocks of loops over and over.
// bug: none
// access: none
// good: aab
// bad: abb
// asan: no
// valgrind: no
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int check(const int *p)
{
    if (*p == 'b') longjmp(back, 1);
    return *p;
}

static int walk(const char *volatile p)
{
    volatile int sum = 0;
    if (setjmp(back)) p++;
    for (; *p; p++) {
        int here = *p;
        {
            int inner = here;
            sum += check(&here) + check(&inner);
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += walk(argv[1]);
    printf("%d\n", sum);
    return 0;
}
