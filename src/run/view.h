/* The file system as the target sees it: the mount namespace's part of the sandbox. Called in the first
 * process inside fresh namespaces, with privileges there; system calls only. errno says why one failed. */
#ifndef TANDEM_RUN_VIEW_H
#define TANDEM_RUN_VIEW_H

#include <stdbool.h>
#include <sys/types.h>

struct sandbox_policy;

bool view_map_ids(uid_t uid, gid_t gid); /* user namespace: the user and group we are, and no other */
bool view_private(void); /* nothing mounted from here on shows outside */
bool view_cover(const char *path, const char *file); /* with a file; before the next */
bool view_again(const char *world, const char *work, const char *scratch); /* all that is mounted, in world; and in work, which is a directory of that, what is in scratch. Before the next too */
bool view_read_only(const struct sandbox_policy *policy);
bool view_proc(const char *world); /* also in the world of view_again, if it is not NULL */

#endif
