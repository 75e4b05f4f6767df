/* Names of source files: the same wherever a tree was checked out, different for different files of it. */
#ifndef TANDEM_COMPILE_PATH_H
#define TANDEM_COMPILE_PATH_H

/* name, seen from directory: without `.`, doubled slashes and such `..` as can be taken back. An absolute name needs no directory. */
char *path_join(const char *directory, const char *name);

/* path, seen from root, both absolute and joined: `../b` if it lies beside. Unchanged if they have nothing in common, or one
 * is not absolute. */
char *path_from(const char *root, const char *path);

/* The directory of the tree that a file belongs to, by what is found in the directories above it; or `otherwise`. */
char *path_root(const char *file, const char *otherwise);

#endif
