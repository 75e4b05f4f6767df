/* Arguments for a fuzzer that knows only one stream of bytes. To be preloaded: what the program is given on standard input begins with arguments, each
 * ended by a NUL, the last of them by two (or by the end); what follows is the standard input that the program sees. `tandem import --argv` reads such
 * inputs the same way.
 *
 * main is replaced when the C library is handed it, so that any build of any program will do, and a fork server that a constructor has started forks
 * before this. What the program starts itself is left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_function *own;
static char bytes[MOST + 1];

static size_t read_all(void)
{
	size_t size = 0;
	ssize_t n;
	while (size < MOST && (n = read(0, bytes + size, MOST - size)) > 0)
		size += (size_t)n;
	return size;
}

static void put_stdin(const char *from, size_t size)
{
	int fd = memfd_create("stdin", 0);
	if (fd < 0 || write(fd, from, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) || dup2(fd, 0))
		_exit(125);
	close(fd);
}

static int with_arguments(int argc, char **argv, char **environment)
{
	size_t size = read_all(), at = 0;
	char **args = malloc(((size_t)argc + size + 1) * sizeof *args);
	if (!args)
		_exit(125);
	memcpy(args, argv, (size_t)argc * sizeof *args);
	while (at < size && bytes[at]) {
		args[argc++] = bytes + at;
		at += strlen(bytes + at) + 1;
	}
	args[argc] = NULL;
	at++;
	put_stdin(at < size ? bytes + at : bytes, at < size ? size - at : 0);
	unsetenv("LD_PRELOAD");
	return own(argc, args, environment);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*loader)(void), void *stack)
{
	start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
	own = main;
	return start(with_arguments, argc, argv, init, fini, loader, stack);
}
