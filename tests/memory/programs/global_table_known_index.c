// Looks up one character that the table has no row for; a comparison says which.
// bug: global-overflow
// access: read 8
// good: a
// bad: z
// asan: yes
// valgrind: no
#include <stdio.h>

static const char *const names[4] = { "ay", "bee", "cee", "dee" };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int letter = argv[1][0] - 'a';
    if (letter == 25) {
        puts(names[letter]); /* BUG */
        return 0;
    }
    puts(letter >= 0 && letter < 4 ? names[letter] : "?");
    return 0;
}
