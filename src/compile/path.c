/* See path.h. Paths are taken as text; links are not followed, as clang does not either.
 *
 * The root of a tree is the nearest directory that is under version control, or else, for an unpacked archive, the outermost one that
 * is configured as a whole. Compilers are called in subdirectories as often as at the top, so neither the name as given nor
 * the current directory would do: `util.c` of two directories is two files. */
#include "compile/path.h"

#include "compile/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Appends the parts of text to the path being made; returns its new length. */
static size_t add_parts(char *to, size_t length, const char *text, bool absolute)
{
	while (*text) {
		size_t n = strcspn(text, "/");
		char *last = memrchr(to, '/', length);
		const char *before = last ? last + 1 : to;
		bool is_up = n == 2 && text[0] == '.' && text[1] == '.';
		bool stays = length == 0 || strcmp(before, "..") == 0; /* nothing to take back */
		if (is_up && !stays) {
			length = last ? (size_t)(last - to) : 0;
		} else if (n && !(n == 1 && text[0] == '.') && !(is_up && absolute)) {
			if (length || absolute)
				to[length++] = '/';
			memcpy(to + length, text, n);
			length += n;
		}
		to[length] = '\0';
		text += n;
		text += *text == '/';
	}
	return length;
}

char *path_join(const char *directory, const char *name)
{
	const char *first = name[0] == '/' ? "" : directory;
	char *to = memory_array(strlen(first) + strlen(name) + 3, 1);
	bool absolute = name[0] == '/' || first[0] == '/';
	size_t length = add_parts(to, add_parts(to, 0, first, absolute), name, absolute);
	if (!length)
		to[0] = absolute ? '/' : '.';
	return to;
}

char *path_from(const char *root, const char *path)
{
	size_t same = 0; /* up to and without a slash, or the end */
	for (size_t i = 0; root[0] == '/' && path[0] == '/'; i++) {
		bool ends_root = root[i] == '\0' || root[i] == '/', ends_path = path[i] == '\0' || path[i] == '/';
		if (ends_root && ends_path)
			same = i;
		if (root[i] != path[i] || root[i] == '\0')
			break;
	}
	if (!same || !path[same])
		return memory_printf("%s", path);
	size_t ups = 0;
	for (const char *r = root + same; *r; r++)
		ups += *r == '/';
	char *to = memory_array(3 * ups + strlen(path + same) + 1, 1);
	for (size_t i = 0; i < ups; i++)
		strcat(to, "../");
	return strcat(to, path + same + 1);
}

static bool has_one(const char *directory, const char *const *names)
{
	bool found = false;
	for (; *names && !found; names++) {
		char *path = memory_printf("%s/%s", directory, *names);
		found = access(path, F_OK) == 0;
		free(path);
	}
	return found;
}

char *path_root(const char *file, const char *otherwise)
{
	static const char *const controlled[] = {".git", ".hg", ".svn", ".bzr", NULL};
	static const char *const configured[] = {"configure", "configure.ac", "CMakeLists.txt", "meson.build", NULL};
	char *above = memory_printf("%s", file), *outermost = NULL;
	for (char *slash; (slash = strrchr(above, '/')) && slash != above;) {
		*slash = '\0';
		if (has_one(above, controlled))
			return above;
		if (has_one(above, configured)) {
			free(outermost);
			outermost = memory_printf("%s", above);
		}
	}
	free(above);
	return outermost ? outermost : memory_printf("%s", otherwise);
}
