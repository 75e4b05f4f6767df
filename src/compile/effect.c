/* See effect.h. The table names functions of libc and the compiler's support library that programs call often; one that is not
 * named is looked up at run time and, if it turns out to be uninstrumented, treated as `u`. A modelled function comes here only
 * where its own model calls the library's, and what that writes is then the model's business. Sorted by name. */
#include "compile/effect.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>

static const struct effect table[] = {
	{"__assert_fail", "s", 0},
	{"__ctype_b_loc", "-", 0},
	{"__ctype_get_mb_cur_max", "-", 0},
	{"__ctype_tolower_loc", "-", 0},
	{"__ctype_toupper_loc", "-", 0},
	{"__dprintf_chk", "-s", 0},
	{"__errno_location", "-", 0},
	{"__fpending", "-", 0},
	{"__fprintf_chk", "-s", 0},
	{"__freading", "-", 0},
	{"__isoc99_vfscanf", "-", 0},
	{"__isoc99_vsscanf", "-", 0},
	{"__printf_chk", "s", 0},
	{"__sigsetjmp", "w-", sizeof(sigjmp_buf)},
	{"__snprintf_chk", "-----r", 0},
	{"__underflow", "-", 0},
	{"__vdprintf_chk", "-s", 0},
	{"__vfprintf_chk", "-s", 0},
	{"__vprintf_chk", "s", 0},
	{"__vsnprintf_chk", "----r-", 0},
	{"_exit", "s", 0},
	{"_setjmp", "w", sizeof(jmp_buf)},
	{"abort", "-", 0},
	{"access", "zr", 0},
	{"aligned_alloc", "-a", 0},
	{"atexit", "-", 0},
	{"bindtextdomain", "-", 0},
	{"calloc", "a", 0},
	{"chdir", "z", 0},
	{"chmod", "zr", 0},
	{"chown", "zr", 0},
	{"clearerr", "-", 0},
	{"clearerr_unlocked", "-", 0},
	{"close", "r", 0},
	{"closedir", "-", 0},
	{"creat", "zr", 0},
	{"dcgettext", "-", 0},
	{"dirfd", "-", 0},
	{"dprintf", "-s", 0},
	{"eaccess", "zr", 0},
	{"euidaccess", "zr", 0},
	{"exit", "s", 0},
	{"faccessat", "rzr", 0},
	{"fchmod", "-", 0},
	{"fclose", "-", 0},
	{"fcntl", "r-", 0},
	{"fdopen", "r-", 0},
	{"feof", "-", 0},
	{"feof_unlocked", "-", 0},
	{"ferror", "-", 0},
	{"ferror_unlocked", "-", 0},
	{"fflush", "-", 0},
	{"fflush_unlocked", "-", 0},
	{"fgetpos", "-", 0},
	{"fileno", "-", 0},
	{"fileno_unlocked", "-", 0},
	{"flockfile", "-", 0},
	{"fmemopen", "-", 0},
	{"fopen", "zz", 0},
	{"fopen64", "zz", 0},
	{"fopencookie", "-", 0},
	{"fork", "-", 0},
	{"fprintf", "-s", 0},
	{"fputc", "s-", 0},
	{"fputc_unlocked", "s-", 0},
	{"fputs", "s-", 0},
	{"fputs_unlocked", "s-", 0},
	{"free", "f", 0},
	{"freopen", "zz-", 0},
	{"freopen64", "zz-", 0},
	{"fseek", "-r", 0},
	{"fseeko", "-r", 0},
	{"fsetpos", "-r", 0},
	{"fstat", "r-", 0},
	{"fstatat", "rz-r", 0},
	{"fstatfs", "-w", sizeof(struct statfs)},
	{"ftell", "-", 0},
	{"ftello", "-", 0},
	{"funlockfile", "-", 0},
	{"fwrite", "sss-", 0},
	{"fwrite_unlocked", "sss-", 0},
	{"getenv", "z", 0},
	{"getpagesize", "-", 0},
	{"getrlimit", "-w", sizeof(struct rlimit)},
	{"getrusage", "-w", sizeof(struct rusage)},
	{"gettext", "-", 0},
	{"gmtime_r", "rw", sizeof(struct tm)},
	{"isatty", "r", 0},
	{"lchown", "zr", 0},
	{"link", "z", 0},
	{"localeconv", "-", 0},
	{"localtime_r", "rw", sizeof(struct tm)},
	{"longjmp", "-r", 0},
	{"lseek", "r", 0},
	{"lstat", "z-", 0},
	{"malloc", "a", 0},
	{"malloc_usable_size", "-", 0},
	{"mbrlen", "u", 0},
	{"mbrtowc", "u", 0},
	{"mbsinit", "u", 0},
	{"memalign", "-a", 0},
	{"mkdir", "zr", 0},
	{"mkdirat", "rzr", 0},
	{"mkfifo", "zr", 0},
	{"mmap", "-r", 0},
	{"mprotect", "-r", 0},
	{"mremap", "-r", 0},
	{"munmap", "-r", 0},
	{"ngettext", "-", 0},
	{"nl_langinfo", "-", 0},
	{"open", "zr", 0},
	{"open64", "zr", 0},
	{"open_memstream", "-", 0},
	{"openat", "rzr", 0},
	{"openat64", "rzr", 0},
	{"opendir", "z", 0},
	{"perror", "s", 0},
	{"pipe", "w", 2 * sizeof(int)},
	{"pipe2", "w-", 2 * sizeof(int)},
	{"popen", "z", 0},
	{"posix_memalign", "w-a", sizeof(void *)},
	{"pread", "r-rr", 0},
	{"preadv", "r-rr", 0},
	{"printf", "s", 0},
	{"pthread_attr_init", "-", 0},
	{"pthread_cond_broadcast", "-", 0},
	{"pthread_cond_destroy", "-", 0},
	{"pthread_cond_init", "-", 0},
	{"pthread_cond_signal", "-", 0},
	{"pthread_cond_wait", "-", 0},
	{"pthread_mutex_destroy", "-", 0},
	{"pthread_mutex_init", "-", 0},
	{"pthread_mutex_lock", "-", 0},
	{"pthread_mutex_trylock", "-", 0},
	{"pthread_mutex_unlock", "-", 0},
	{"pthread_mutexattr_destroy", "-", 0},
	{"pthread_mutexattr_init", "-", 0},
	{"pthread_mutexattr_settype", "-", 0},
	{"pthread_rwlock_destroy", "-", 0},
	{"pthread_rwlock_init", "-", 0},
	{"pthread_rwlock_rdlock", "-", 0},
	{"pthread_rwlock_unlock", "-", 0},
	{"pthread_rwlock_wrlock", "-", 0},
	{"pthread_sigmask", "-rw", sizeof(sigset_t)},
	{"putc", "s-", 0},
	{"putc_unlocked", "s-", 0},
	{"putchar", "s", 0},
	{"putchar_unlocked", "s", 0},
	{"puts", "s", 0},
	{"pwrite", "rssr", 0},
	{"pwrite64", "rssr", 0},
	{"read", "r-r", 0},
	{"readdir", "-", 0},
	{"readv", "r-r", 0},
	{"realloc", "fa", 0},
	{"reallocarray", "fa", 0},
	{"remove", "z", 0},
	{"rename", "z", 0},
	{"renameat", "rzrz", 0},
	{"rewind", "-", 0},
	{"rmdir", "z", 0},
	{"sem_destroy", "-", 0},
	{"sem_init", "-", 0},
	{"sem_post", "-", 0},
	{"sem_wait", "-", 0},
	{"setbuf", "-", 0},
	{"setlocale", "-z", 0},
	{"setrlimit", "-r", 0},
	{"setvbuf", "-", 0},
	{"sigaction", "-rw", sizeof(struct sigaction)},
	{"sigaddset", "-", 0},
	{"sigaltstack", "rw", sizeof(stack_t)},
	{"sigdelset", "-", 0},
	{"sigemptyset", "w", sizeof(sigset_t)},
	{"sigfillset", "w", sizeof(sigset_t)},
	{"siglongjmp", "-r", 0},
	{"signal", "r-", 0},
	{"sigprocmask", "-rw", sizeof(sigset_t)},
	{"snprintf", "wru", 0},
	{"sprintf", "wu", 0},
	{"stat", "z-", 0},
	{"statfs", "zw", sizeof(struct statfs)},
	{"statx", "rzrr-", 0},
	{"strtod", "rw", sizeof(char *)},
	{"strtof", "rw", sizeof(char *)},
	{"strtold", "rw", sizeof(char *)},
	{"symlink", "z", 0},
	{"sysconf", "-", 0},
	{"system", "z", 0},
	{"tcgetattr", "-w", sizeof(struct termios)},
	{"textdomain", "-", 0},
	{"times", "w", sizeof(struct tms)},
	{"umask", "-", 0},
	{"uname", "w", sizeof(struct utsname)},
	{"ungetc", "r-", 0},
	{"unlink", "z", 0},
	{"unlinkat", "rzr", 0},
	{"vasprintf", "-r-", 0},
	{"vdprintf", "-s", 0},
	{"vfprintf", "-s", 0},
	{"vfscanf", "-", 0},
	{"vprintf", "s", 0},
	{"vsnprintf", "wru", 0},
	{"vsprintf", "wu", 0},
	{"vsscanf", "-", 0},
	{"wait", "w", sizeof(int)},
	{"waitpid", "-w-", sizeof(int)},
	{"wcrtomb", "u", 0},
	{"wctype", "z", 0},
	{"write", "rss", 0},
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
