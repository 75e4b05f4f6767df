// Mappings: parts are unmapped, replaced, moved and protected, and nothing is wrong with what the program touches.
// cc: -O1
// tandem: trace @ x
// expect: taken .*argv\[1\]\[0\] == 120
// expect: taken .*argv\[1\]\[0\] != 121
// never: unmodelled function
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char *map(size_t bytes, int access)
{
    return mmap(NULL, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
    int touch = PROT_READ | PROT_WRITE;
    char c = argc > 1 ? argv[1][0] : 0;

    char *a = map(5 * PAGE, touch); /* head, tail and middle go */
    memset(a, 'a', 5 * PAGE);
    a[2 * PAGE] = c;
    munmap(a, PAGE);
    munmap(a + 4 * PAGE, PAGE);
    a[PAGE] = a[4 * PAGE - 1];
    munmap(a + 3 * PAGE, PAGE);
    if (a[2 * PAGE] == 'x')
        puts("its term is still there");
    printf("%c\n", a[PAGE]);

    char *b = map(4 * PAGE, PROT_NONE); /* a reserve, opened piece by piece */
    mprotect(b, PAGE, touch);
    b[0] = c;
    mprotect(b + PAGE, 2 * PAGE, touch);
    b[3 * PAGE - 1] = 'b';
    printf("%d\n", b[0] + b[3 * PAGE - 1]);

    char *ring = map(2 * PAGE, touch); /* the same memory twice */
    int fd = memfd_create("ring", 0);
    if (fd >= 0 && ftruncate(fd, PAGE) == 0) {
        mmap(ring, PAGE, touch, MAP_SHARED | MAP_FIXED, fd, 0);
        mmap(ring + PAGE, PAGE, touch, MAP_SHARED | MAP_FIXED, fd, 0);
        memcpy(ring + PAGE - 2, "ring", 4);
        printf("%.2s\n", ring);
    }

    char *d = map(2 * PAGE, touch); /* closed and opened again */
    mprotect(d + PAGE, PAGE, PROT_NONE);
    d[PAGE - 1] = 'd';
    mprotect(d + PAGE, PAGE, touch);
    d[PAGE] = 'e';
    printf("%.2s\n", d + PAGE - 1);

    char *e = map(PAGE, touch); /* longer, elsewhere or not, and shorter */
    e[0] = c;
    e = mremap(e, PAGE, 3 * PAGE, MREMAP_MAYMOVE);
    e[3 * PAGE - 1] = e[0];
    e = mremap(e, 3 * PAGE, PAGE, 0);
    if (e[0] != 'y')
        puts("and has moved along");
    char *f = mmap(e + PAGE, PAGE, touch, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (f == e + PAGE) {
        memset(e, 'f', 2 * PAGE); /* the program has put them side by side */
        printf("%c\n", e[2 * PAGE - 1]);
    } else {
        printf("f\n");
    }

    int file = open("/proc/self/exe", O_RDONLY); /* to the end of its page there are zeroes, or more of the file */
    const char *text = mmap(NULL, 100, PROT_READ, MAP_PRIVATE, file, 0);
    printf("%d\n", text[1] == 'E' && (text[4000] | 1) != 0);
    printf("%d %d\n", munmap((void *)text, 100), mmap(NULL, 0, touch, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);

    for (int i = 0; i < 200; i++) {
        char *big = map(1 << 20, touch);
        big[0] = big[(1 << 20) - 1] = 1;
        munmap(big, 1 << 20);
    }
    return 0;
}
