// An interpreter jumps from block to block by computed goto.
// bug: none
// access: none
// good: 0123
// bad: 3210
// asan: no
// valgrind: no
#include <stdio.h>

static void set(int *p, int n) { *p = n; }

int main(int argc, char **argv)
{
    static const void *const code[] = { &&zero, &&one, &&two, &&done };
    if (argc < 2) return 2;
    const char *p = argv[1];
    int sum = 0;
    goto *code[*p++ & 3];
zero: {
        int x;
        set(&x, 1);
        sum += x;
        goto *code[*p++ & 3];
    }
one: {
        int x, y;
        set(&x, 2);
        set(&y, x);
        sum += y;
        if (sum & 1) goto *code[*p++ & 3];
        goto two;
    }
two:
    for (int i = 0; i < 3; i++) {
        int z = i;
        set(&z, z + 1);
        sum += z;
        if (sum > 5) goto *code[3];
    }
done:
    printf("%d\n", sum);
    return 0;
}
