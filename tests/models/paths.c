/* Names of files: 0..15. */
// case: usual = /usr/lib/name.c\0
// case: slashes-at-end = a//b///\0
// case: root = ///\0
// case: two-slashes = //a\0
// case: none = name\0
// case: empty = \0\0\0
// case: high-bytes = \0377/\0200/\0\0
#define _GNU_SOURCE
#include "harness.h"

char *__xpg_basename(char *), *dirname(char *);

static void give_name(const char *name, const char *path)
{
	if (name >= path && name <= path + 15)
		give_at(name, path);
	for (size_t i = 0;; i++) {
		give((unsigned char)name[i]);
		if (!name[i])
			break;
	}
	give_bytes(path, 16);
}

TEST(basename) { char *path = piece(0, 15); give_name(basename(path), path); }
TEST(__xpg_basename) { char *path = piece(0, 15); give_name(__xpg_basename(path), path); }
TEST(dirname) { char *path = piece(0, 15); give_name(dirname(path), path); }
