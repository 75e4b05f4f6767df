#include <string.h>
#include <strings.h>

int (*other_compare)(const char *, const char *) = strcmp;

int (*other_choose(int fold))(const char *, const char *)
{
	return fold ? strcasecmp : strcmp;
}
