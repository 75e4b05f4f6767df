/* Names of files, taken apart as the library does it, with all its corners: several slashes, slashes at the end, nothing but slashes. */
#include "model.h"

static char *last_slash_of(char *path)
{
	char *last = NULL;
	for (; *path; path++)
		if (*path == '/')
			last = path;
	return last;
}

/* Where the slashes begin that end there. */
static char *first_of_slashes(char *path, char *at)
{
	while (at > path && at[-1] == '/')
		at--;
	return at;
}

char *MODEL(basename)(const char *path) /* GNU's */
{
	char *last = last_slash_of((char *)path);
	return last ? last + 1 : (char *)path;
}

char *MODEL(__xpg_basename)(char *path)
{
	if (!path || !*path)
		return (char *)".";
	char *p = last_slash_of(path);
	if (!p)
		return path;
	if (p[1])
		return p + 1;
	char *end = first_of_slashes(path, p);
	if (end == path)
		return p;
	*end-- = 0;
	while (end > path && end[-1] != '/')
		end--;
	return end;
}

char *MODEL(dirname)(char *path)
{
	char *last = path ? last_slash_of(path) : NULL;
	if (last && last != path && !last[1]) {
		char *end = first_of_slashes(path, last);
		if (end != path) { /* it is not about the slashes at the end */
			last = NULL;
			for (char *p = path; p < end; p++)
				if (*p == '/')
					last = p;
		}
	}
	if (!last)
		return (char *)".";
	char *end = first_of_slashes(path, last);
	if (end == path) /* the root, which two slashes may be another one of */
		end = last == path + 1 ? last + 1 : path + 1;
	*end = 0;
	return path;
}
