/* See effect.h. The table names functions of libc and the compiler's support library that programs call often; one that is not
 * named is looked up at run time and, if it turns out to be uninstrumented, treated as `u`. A modelled function comes here only
 * where its own model calls the library's. Sorted by name. */
#include "compile/effect.h"

#include <stdlib.h>
#include <string.h>

static const struct effect table[] = {
	{"__assert_fail", "s"},
	{"__ctype_b_loc", "-"},
	{"__ctype_get_mb_cur_max", "-"},
	{"__ctype_tolower_loc", "-"},
	{"__ctype_toupper_loc", "-"},
	{"__errno_location", "-"},
	{"__fpending", "-"},
	{"__freading", "-"},
	{"__isoc99_fscanf", "-rw"},
	{"__isoc99_scanf", "rw"},
	{"__sigsetjmp", "w-"},
	{"__underflow", "-"},
	{"_exit", "s"},
	{"_setjmp", "w"},
	{"abort", "-"},
	{"access", "r"},
	{"aligned_alloc", "-a"},
	{"atexit", "-"},
	{"bindtextdomain", "-"},
	{"calloc", "a"},
	{"clearerr", "-"},
	{"clearerr_unlocked", "-"},
	{"close", "r"},
	{"dcgettext", "-"},
	{"exit", "s"},
	{"fchmod", "-"},
	{"fclose", "-"},
	{"fcntl", "r-"},
	{"feof", "-"},
	{"feof_unlocked", "-"},
	{"ferror", "-"},
	{"ferror_unlocked", "-"},
	{"fflush", "-"},
	{"fflush_unlocked", "-"},
	{"fileno", "-"},
	{"fileno_unlocked", "-"},
	{"flockfile", "-"},
	{"fopen", "r"},
	{"fork", "-"},
	{"fprintf", "-s"},
	{"fputc", "s-"},
	{"fputc_unlocked", "s-"},
	{"fputs", "s-"},
	{"fputs_unlocked", "s-"},
	{"free", "f"},
	{"freopen", "r"},
	{"fscanf", "-rw"},
	{"fseek", "-r"},
	{"fseeko", "-r"},
	{"fstat", "rw"},
	{"ftell", "-"},
	{"ftello", "-"},
	{"funlockfile", "-"},
	{"fwrite", "srr-"},
	{"fwrite_unlocked", "srr-"},
	{"getenv", "r"},
	{"getpagesize", "-"},
	{"gettext", "-"},
	{"isatty", "r"},
	{"localeconv", "-"},
	{"longjmp", "-r"},
	{"lseek", "r"},
	{"malloc", "a"},
	{"malloc_usable_size", "-"},
	{"mbrlen", "u"},
	{"mbrtowc", "u"},
	{"mbsinit", "u"},
	{"memalign", "-a"},
	{"mmap", "-r"},
	{"mprotect", "-r"},
	{"mremap", "-r"},
	{"munmap", "-r"},
	{"ngettext", "-"},
	{"nl_langinfo", "-"},
	{"open", "r"},
	{"perror", "s"},
	{"posix_memalign", "w-a"},
	{"pread", "rwrr"},
	{"printf", "s"},
	{"putc", "s-"},
	{"putc_unlocked", "s-"},
	{"putchar", "s"},
	{"putchar_unlocked", "s"},
	{"puts", "s"},
	{"read", "rwr"},
	{"readv", "r-r"},
	{"realloc", "fa"},
	{"reallocarray", "fa"},
	{"rewind", "-"},
	{"scanf", "rw"},
	{"setbuf", "-"},
	{"setlocale", "-r"},
	{"setvbuf", "-"},
	{"sigaction", "r-w"},
	{"siglongjmp", "-r"},
	{"signal", "r-"},
	{"snprintf", "wru"},
	{"sprintf", "wu"},
	{"stat", "rw"},
	{"strtod", "rw"},
	{"strtof", "rw"},
	{"strtold", "rw"},
	{"sysconf", "-"},
	{"textdomain", "-"},
	{"ungetc", "r-"},
	{"vfprintf", "-s"},
	{"vprintf", "s"},
	{"vsnprintf", "wru"},
	{"vsprintf", "wu"},
	{"wcrtomb", "u"},
	{"wctype", "r"},
	{"write", "rsr"},
};

static const struct unseen unseen_table[] = {
	{"__isoc99_fscanf", TD_UNSEEN_STREAM, 0},
	{"__isoc99_scanf", TD_UNSEEN_STDIN, 0},
	{"__isoc99_vfscanf", TD_UNSEEN_STREAM, 0},
	{"__isoc99_vscanf", TD_UNSEEN_STDIN, 0},
	{"fgetwc", TD_UNSEEN_STREAM, 0},
	{"fgetws", TD_UNSEEN_STREAM, 2},
	{"fscanf", TD_UNSEEN_STREAM, 0},
	{"getw", TD_UNSEEN_STREAM, 0},
	{"getwc", TD_UNSEEN_STREAM, 0},
	{"getwchar", TD_UNSEEN_STDIN, 0},
	{"mmap", TD_UNSEEN_DESCRIPTOR, 4},
	{"preadv", TD_UNSEEN_DESCRIPTOR, 0},
	{"recv", TD_UNSEEN_DESCRIPTOR, 0},
	{"scanf", TD_UNSEEN_STDIN, 0},
	{"splice", TD_UNSEEN_DESCRIPTOR, 0},
	{"vfscanf", TD_UNSEEN_STREAM, 0},
	{"vscanf", TD_UNSEEN_STDIN, 0},
};

static const char *const models[] = {
#define MODEL(name) #name,
#include "contract/model.def"
#undef MODEL
};

static int compare_effect(const void *key, const void *row)
{
	return strcmp(key, ((const struct effect *)row)->name);
}

static int compare_name(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

const struct effect *effect_of(const char *function)
{
	return bsearch(function, table, sizeof table / sizeof table[0], sizeof table[0], compare_effect);
}

static int compare_unseen(const void *key, const void *row)
{
	return strcmp(key, ((const struct unseen *)row)->name);
}

const struct unseen *effect_unseen(const char *function)
{
	return bsearch(function, unseen_table, sizeof unseen_table / sizeof unseen_table[0], sizeof unseen_table[0], compare_unseen);
}

char effect_letter(const struct effect *effect, unsigned argument)
{
	size_t n = strlen(effect->letters);
	return effect->letters[argument < n ? argument : n - 1];
}

bool effect_has_model(const char *function)
{
	return bsearch(function, models, sizeof models / sizeof models[0], sizeof models[0], compare_name) != NULL;
}
