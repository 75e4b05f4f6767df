/* Landlock: writing only below one directory. Called between fork and exec: system calls only. */
#ifndef TANDEM_RUN_FENCE_H
#define TANDEM_RUN_FENCE_H

#include <stdbool.h>

int fence_abi(void); /* at most 0: not available, see errno */
bool fence_raise(int abi, const char *scratch, const char *also, bool own_tmp);

#endif
