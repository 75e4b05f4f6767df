/*
 * Puts each argument into a heap block of its own size before the program
 * starts. The system lays the arguments out back to back, where AddressSanitizer
 * cannot see that one of them is read past its end.
 */
#include <stdlib.h>
#include <string.h>

int program_main(int argc, char **argv);

static char **copies; /* reachable until the end, so that it is no leak */

int main(int argc, char **argv)
{
    copies = malloc(((size_t)argc + 1) * sizeof *copies);
    if (!copies) abort();
    for (int i = 0; i < argc; i++) {
        size_t size = strlen(argv[i]) + 1;
        copies[i] = malloc(size);
        if (!copies[i]) abort();
        memcpy(copies[i], argv[i], size);
    }
    copies[argc] = NULL;
    return program_main(argc, copies);
}
