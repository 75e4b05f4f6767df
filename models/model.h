/* How a model is written: plain C, compiled with tandem cc itself, so that it is symbolic for free. MODEL(name) is the symbol that
 * traced code calls instead of `name`; in native runs it is the library's own function. Inside a model call
 * other functions through MODEL(...) too: a plain name is the library's and loses terms. */
#ifndef TANDEM_MODELS_MODEL_H
#define TANDEM_MODELS_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MODEL(name) __td_m_##name

/* The body of a function that takes arguments behind its `format`; for `call` they are `list`. */
#define WITH_LIST(call) \
	va_list list; \
	va_start(list, format); \
	int n = call; \
	va_end(list); \
	return n

typedef unsigned char byte;
struct iovec;

void __td_input_read(int fd, void *buffer, uint64_t bytes, uint64_t wanted);
void __td_input_read_at(int fd, void *buffer, uint64_t bytes, uint64_t wanted, uint64_t at);
void __td_input_filled(void *stream, const void *old_end, int at_end);
void __td_input_parts(int fd, const struct iovec *parts, int count, int64_t got);
void __td_input_parts_at(int fd, const struct iovec *parts, int count, int64_t got, uint64_t at);
void __td_input_refilled(void *stream);
void __td_input_mapped(int fd, void *memory, uint64_t bytes, uint64_t at, int access);
void __td_input_size(int fd, uint64_t *size);
void __td_input_sized(int fd);
void __td_input_stat(void *result);
void __td_input_statx(void *result);
uint32_t __td_input_runs(void);
void __td_mark(void *memory, uint64_t bytes, const char *name, uint32_t clear);
void __td_assume(const void *holds);
uint32_t __td_fixed(void);
uint32_t __td_serves(void);
void __td_clear(void *memory, uint64_t bytes);
void __td_handed(const char *name);
void __td_external(void *memory, uint64_t bytes, uint32_t effect);
void __td_unseen(uint32_t from, uint64_t which);
void __td_listed(void *va_list);
void __td_vprinted(void *base, void *at, uint64_t room, uint32_t place, void *function, void *name, void *format, void *list);
void __td_move(void *to, const void *from, uint64_t bytes);
void __td_extent(const void *base, const void *at, uint64_t bytes, uint32_t inside, uint32_t writes, uint32_t place, void *function, void *name);
void __td_string(const void *base, const void *at, uint32_t writes, uint32_t place, void *function, void *name);
uint32_t __td_same(uint64_t a, uint64_t b);
uint64_t __td_compare_span(const void *a, const void *b, uint32_t folded);
uint32_t __td_plain_string(const void *s);
uint64_t __td_room_at(const void *memory);
uint64_t __td_map_hint(uint64_t bytes);
void __td_refused(uint64_t bytes);
void __td_mapped(void *memory, uint64_t bytes, uint32_t kind, int access);
void __td_unmapped(void *memory, uint64_t bytes);
void __td_remapped(void *memory, void *old, uint64_t bytes, uint64_t wanted, uint32_t stays);
void __td_protected(void *memory, uint64_t bytes, int access);
uint32_t __td_goes_on(void);
void __td_assertion(const char *text);

int __td_plain_case(void); /* ctype.c: does the locale have no letters but ASCII's in single bytes? */

size_t MODEL(strlen)(const char *s);
size_t MODEL(strnlen)(const char *s, size_t max);
char *MODEL(stpncpy)(char *to, const char *from, size_t n);
int MODEL(strncmp)(const char *a, const char *b, size_t n);
int MODEL(strncasecmp)(const char *a, const char *b, size_t n);
char *MODEL(strchrnul)(const char *s, int c);
int MODEL(tolower)(int c);
int MODEL(isspace)(int c), MODEL(isalnum)(int c), MODEL(isalpha)(int c), MODEL(isblank)(int c), MODEL(iscntrl)(int c), MODEL(isdigit)(int c);
int MODEL(isgraph)(int c), MODEL(islower)(int c), MODEL(isprint)(int c), MODEL(ispunct)(int c), MODEL(isupper)(int c), MODEL(isxdigit)(int c);
int MODEL(strcmp)(const char *a, const char *b);
unsigned MODEL(towlower)(unsigned c);
char *MODEL(strcpy)(char *to, const char *from);
char *MODEL(stpcpy)(char *to, const char *from);
char *MODEL(strncpy)(char *to, const char *from, size_t n);
char *MODEL(strcat)(char *to, const char *from);
char *MODEL(strncat)(char *to, const char *from, size_t n);
void *MODEL(memcpy)(void *to, const void *from, size_t n);
void *MODEL(mempcpy)(void *to, const void *from, size_t n);
void *MODEL(memmove)(void *to, const void *from, size_t n);
void *MODEL(memset)(void *to, int c, size_t n);
void MODEL(explicit_bzero)(void *to, size_t n);
ssize_t MODEL(read)(int fd, void *to, size_t n);
ssize_t MODEL(pread)(int fd, void *to, size_t n, off_t at);
struct _IO_FILE;
char *MODEL(fgets)(char *to, int n, struct _IO_FILE *f);
size_t MODEL(fread)(void *to, size_t size, size_t count, struct _IO_FILE *f);
void *MODEL(malloc)(size_t size);
void *MODEL(realloc)(void *old, size_t size);
void MODEL(free)(void *p);
void *MODEL(memchr)(const void *s, int c, size_t n);
int MODEL(memcmp)(const void *a, const void *b, size_t n);

#endif
