/* See effect.h. The table names functions of libc and the compiler's support library that programs call often; one that is not
 * named is looked up at run time and, if it turns out to be uninstrumented, treated as `u`. A modelled function comes here only
 * where its own model calls the library's, and what that writes is then the model's business. Sorted by name. */
#include "compile/effect.h"

#include <stdlib.h>
#include <string.h>

static const struct effect table[] = {
	{"__assert_fail", "s"},
	{"__ctype_b_loc", "-"},
	{"__ctype_get_mb_cur_max", "-"},
	{"__ctype_tolower_loc", "-"},
	{"__ctype_toupper_loc", "-"},
	{"__dprintf_chk", "-s"},
	{"__errno_location", "-"},
	{"__fpending", "-"},
	{"__fprintf_chk", "-s"},
	{"__freading", "-"},
	{"__isoc99_vfscanf", "-"},
	{"__isoc99_vsscanf", "-"},
	{"__printf_chk", "s"},
	{"__sigsetjmp", "w-"},
	{"__snprintf_chk", "-----r"},
	{"__underflow", "-"},
	{"__vdprintf_chk", "-s"},
	{"__vfprintf_chk", "-s"},
	{"__vprintf_chk", "s"},
	{"__vsnprintf_chk", "----r-"},
	{"_exit", "s"},
	{"_setjmp", "w"},
	{"abort", "-"},
	{"access", "zr"},
	{"aligned_alloc", "-a"},
	{"atexit", "-"},
	{"bindtextdomain", "-"},
	{"calloc", "a"},
	{"chdir", "z"},
	{"chmod", "zr"},
	{"chown", "zr"},
	{"clearerr", "-"},
	{"clearerr_unlocked", "-"},
	{"close", "r"},
	{"closedir", "-"},
	{"creat", "zr"},
	{"dcgettext", "-"},
	{"dirfd", "-"},
	{"dprintf", "-s"},
	{"eaccess", "zr"},
	{"euidaccess", "zr"},
	{"exit", "s"},
	{"faccessat", "rzr"},
	{"fchmod", "-"},
	{"fclose", "-"},
	{"fcntl", "r-"},
	{"fdopen", "r-"},
	{"feof", "-"},
	{"feof_unlocked", "-"},
	{"ferror", "-"},
	{"ferror_unlocked", "-"},
	{"fflush", "-"},
	{"fflush_unlocked", "-"},
	{"fgetpos", "-"},
	{"fileno", "-"},
	{"fileno_unlocked", "-"},
	{"flockfile", "-"},
	{"fmemopen", "-"},
	{"fopen", "zz"},
	{"fopen64", "zz"},
	{"fopencookie", "-"},
	{"fork", "-"},
	{"fprintf", "-s"},
	{"fputc", "s-"},
	{"fputc_unlocked", "s-"},
	{"fputs", "s-"},
	{"fputs_unlocked", "s-"},
	{"free", "f"},
	{"freopen", "zz-"},
	{"freopen64", "zz-"},
	{"fseek", "-r"},
	{"fseeko", "-r"},
	{"fsetpos", "-r"},
	{"fstat", "r-"},
	{"fstatat", "rz-r"},
	{"ftell", "-"},
	{"ftello", "-"},
	{"funlockfile", "-"},
	{"fwrite", "sss-"},
	{"fwrite_unlocked", "sss-"},
	{"getenv", "z"},
	{"getpagesize", "-"},
	{"gettext", "-"},
	{"isatty", "r"},
	{"lchown", "zr"},
	{"link", "z"},
	{"localeconv", "-"},
	{"longjmp", "-r"},
	{"lseek", "r"},
	{"lstat", "z-"},
	{"malloc", "a"},
	{"malloc_usable_size", "-"},
	{"mbrlen", "u"},
	{"mbrtowc", "u"},
	{"mbsinit", "u"},
	{"memalign", "-a"},
	{"mkdir", "zr"},
	{"mkdirat", "rzr"},
	{"mkfifo", "zr"},
	{"mmap", "-r"},
	{"mprotect", "-r"},
	{"mremap", "-r"},
	{"munmap", "-r"},
	{"ngettext", "-"},
	{"nl_langinfo", "-"},
	{"open", "zr"},
	{"open64", "zr"},
	{"open_memstream", "-"},
	{"openat", "rzr"},
	{"openat64", "rzr"},
	{"opendir", "z"},
	{"perror", "s"},
	{"popen", "z"},
	{"posix_memalign", "w-a"},
	{"pread", "r-rr"},
	{"preadv", "r-rr"},
	{"printf", "s"},
	{"pthread_cond_broadcast", "-"},
	{"pthread_cond_destroy", "-"},
	{"pthread_cond_init", "-"},
	{"pthread_cond_signal", "-"},
	{"pthread_cond_wait", "-"},
	{"pthread_mutex_destroy", "-"},
	{"pthread_mutex_init", "-"},
	{"pthread_mutex_lock", "-"},
	{"pthread_mutex_trylock", "-"},
	{"pthread_mutex_unlock", "-"},
	{"pthread_mutexattr_destroy", "-"},
	{"pthread_mutexattr_init", "-"},
	{"pthread_mutexattr_settype", "-"},
	{"pthread_rwlock_destroy", "-"},
	{"pthread_rwlock_init", "-"},
	{"pthread_rwlock_rdlock", "-"},
	{"pthread_rwlock_unlock", "-"},
	{"pthread_rwlock_wrlock", "-"},
	{"putc", "s-"},
	{"putc_unlocked", "s-"},
	{"putchar", "s"},
	{"putchar_unlocked", "s"},
	{"puts", "s"},
	{"pwrite", "rssr"},
	{"pwrite64", "rssr"},
	{"read", "r-r"},
	{"readdir", "-"},
	{"readv", "r-r"},
	{"realloc", "fa"},
	{"reallocarray", "fa"},
	{"remove", "z"},
	{"rename", "z"},
	{"renameat", "rzrz"},
	{"rewind", "-"},
	{"rmdir", "z"},
	{"sem_destroy", "-"},
	{"sem_init", "-"},
	{"sem_post", "-"},
	{"sem_wait", "-"},
	{"setbuf", "-"},
	{"setlocale", "-z"},
	{"setvbuf", "-"},
	{"sigaction", "r-w"},
	{"sigaddset", "-"},
	{"sigdelset", "-"},
	{"sigemptyset", "-"},
	{"sigfillset", "-"},
	{"siglongjmp", "-r"},
	{"signal", "r-"},
	{"snprintf", "wru"},
	{"sprintf", "wu"},
	{"stat", "z-"},
	{"statx", "rzrr-"},
	{"strtod", "rw"},
	{"strtof", "rw"},
	{"strtold", "rw"},
	{"symlink", "z"},
	{"sysconf", "-"},
	{"system", "z"},
	{"textdomain", "-"},
	{"umask", "-"},
	{"ungetc", "r-"},
	{"unlink", "z"},
	{"unlinkat", "rzr"},
	{"vasprintf", "-r-"},
	{"vdprintf", "-s"},
	{"vfprintf", "-s"},
	{"vfscanf", "-"},
	{"vprintf", "s"},
	{"vsnprintf", "wru"},
	{"vsprintf", "wu"},
	{"vsscanf", "-"},
	{"wcrtomb", "u"},
	{"wctype", "z"},
	{"write", "rss"},
};

static const struct unseen unseen_table[] = {
	{"copy_file_range", TD_UNSEEN_DESCRIPTOR, 0},
	{"fgetwc", TD_UNSEEN_STREAM, 0},
	{"fgetws", TD_UNSEEN_STREAM, 2},
	{"fts_children", TD_UNSEEN_FILES, 0},
	{"fts_read", TD_UNSEEN_FILES, 0},
	{"ftw", TD_UNSEEN_FILES, 0},
	{"ftw64", TD_UNSEEN_FILES, 0},
	{"getwc", TD_UNSEEN_STREAM, 0},
	{"getwchar", TD_UNSEEN_STDIN, 0},
	{"nftw", TD_UNSEEN_FILES, 0},
	{"nftw64", TD_UNSEEN_FILES, 0},
	{"preadv2", TD_UNSEEN_DESCRIPTOR, 0},
	{"recv", TD_UNSEEN_DESCRIPTOR, 0},
	{"sendfile", TD_UNSEEN_DESCRIPTOR, 1},
	{"splice", TD_UNSEEN_DESCRIPTOR, 0},
};

static const struct model { const char *name; bool result_only; } models[] = {
#define MODEL(name) {#name, false},
#define RESULT(name) {#name, true},
#include "contract/model.def"
#undef MODEL
#undef RESULT
};

static int compare_effect(const void *key, const void *row)
{
	return strcmp(key, ((const struct effect *)row)->name);
}

static int compare_model(const void *key, const void *row)
{
	return strcmp(key, ((const struct model *)row)->name);
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

static const struct model *model_of(const char *function)
{
	return bsearch(function, models, sizeof models / sizeof models[0], sizeof models[0], compare_model);
}

bool effect_has_model(const char *function)
{
	return model_of(function) != NULL;
}

bool effect_models_result(const char *function)
{
	const struct model *m = model_of(function);
	return m && m->result_only;
}
