/* After a link: which functions the program calls that nobody knows anything of. */
#ifndef TANDEM_COMPILE_EXTERNALS_H
#define TANDEM_COMPILE_EXTERNALS_H

#include <stdbool.h>

enum externals_told { EXTERNALS_NOT, EXTERNALS_FEW, EXTERNALS_ALL };

void externals_tell(const char *file, enum externals_told how); /* to standard error; nothing if the file cannot be read */

#endif
