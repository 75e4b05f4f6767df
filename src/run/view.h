/* The file system as the target sees it: the mount namespace's part of the sandbox. Called in the first
 * process inside fresh namespaces, with privileges there; system calls only. errno says why one failed. */
#ifndef TANDEM_RUN_VIEW_H
#define TANDEM_RUN_VIEW_H

#include <stdbool.h>
#include <sys/types.h>

bool view_map_ids(uid_t uid, gid_t gid); /* user namespace: the user and group we are, and no other */
bool view_private(void); /* nothing mounted from here on shows outside */
bool view_cover(const char *path, const char *file); /* with a file; before the next */
bool view_read_only(const char *scratch, const char *also, bool private_tmp);
bool view_proc(void);

#endif
