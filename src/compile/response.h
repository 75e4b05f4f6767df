/* Response files: `@file` on a command line stands for the words in that file. Clang reads them itself; we have to know what is in them
 * (-shared, -c, what is left out) before. */
#ifndef TANDEM_COMPILE_RESPONSE_H
#define TANDEM_COMPILE_RESPONSE_H

#include "compile/memory.h"

struct response { LIST(char *) words; };

void response_expand(struct response *to, char *word); /* appends the word, or those of the file it names */

#endif
