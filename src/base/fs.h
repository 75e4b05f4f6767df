/* Whole files: read one, or replace one so that no reader ever sees half of it. */
#ifndef TANDEM_BASE_FS_H
#define TANDEM_BASE_FS_H

#include "base/err.h"

#include <stddef.h>

/* The bytes, with a NUL after them that is not counted; the caller frees. size may be NULL. */
char *fs_read(const char *path, size_t *size, struct err *err);

bool fs_write(const char *path, const void *bytes, size_t size, struct err *err);

/* Could it now? Better known before hours of work. Nothing is changed. */
bool fs_can_write(const char *path, struct err *err);

bool fs_write_fd(int fd, const void *bytes, size_t size); /* all of it, or false and errno */

#endif
