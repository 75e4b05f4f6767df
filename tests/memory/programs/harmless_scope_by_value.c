// Structs are returned by value from blocks, and members are taken of what was returned.
// bug: none
// access: none
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct small {
    long a, b;
};
struct large {
    char text[40];
};

static void set(struct small *s, long n) { s->a = n, s->b = 1; }

static struct small small_of(int c)
{
    if (c & 1) {
        struct small odd;
        set(&odd, 3);
        return odd;
    } else {
        struct small even = { 0 };
        set(&even, 2);
        return even;
    }
}

static struct large large_of(int c)
{
    if (c & 1) {
        struct large odd;
        strcpy(odd.text, "odd");
        return odd;
    }
    {
        struct large even = { "" };
        strcat(even.text, "even");
        return even;
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int c = argv[1][0];
    const struct large *kept = &(struct large){ "kept" };
    for (int i = 0; i < 2; i++) {
        struct large copy = large_of(c + i);
        const int *list = (int[]){ i, c, 5 };
        struct small s = ({ struct small t = small_of(c); set(&t, t.a + list[2]); t; });
        printf("%s %s %ld %ld\n", copy.text, large_of(c).text, s.a, small_of(c + i).b);
    }
    printf("%s\n", kept->text);
    return 0;
}
