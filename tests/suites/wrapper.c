/* Takes the place of a program, DIR/NAME, which is kept as DIR/.traced/NAME: traces it so that nobody notices. What was found goes to a log.
 *
 *   -DTANDEM="path" -DLOG="path" -DOPTIONS='"--go-on", ...'
 *
 * Under a limit on the address space the program runs alone: tandem and its libraries may not fit. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void real_path(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - sizeof "/.traced");
	char *slash = n > 0 ? (path[n] = '\0', strrchr(path, '/')) : NULL;
	if (!slash)
		_exit(125);
	memmove(slash + strlen("/.traced"), slash, strlen(slash) + 1);
	memcpy(slash, "/.traced", strlen("/.traced"));
}

static void log_line(const char *line)
{
	int fd = open(LOG, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd >= 0 && write(fd, line, strlen(line)) >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	static const char *const options[] = { "tandem", "trace", "--transparent", "--log", LOG, OPTIONS, "--argv0" };
	enum { OPTION_COUNT = sizeof options / sizeof *options };
	char path[4096 + sizeof "/.traced"];
	struct rlimit space;
	const char **all = malloc(((size_t)argc + OPTION_COUNT + 3) * sizeof *all);
	real_path(path, sizeof path);
	if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
		log_line("--- not traced (limit on the address space)\n");
		execv(path, argv);
		_exit(125);
	}
	if (!all)
		_exit(125);
	memcpy(all, options, sizeof options);
	all[OPTION_COUNT] = argv[0];
	all[OPTION_COUNT + 1] = path;
	memcpy(all + OPTION_COUNT + 2, argv + 1, (size_t)argc * sizeof *argv); /* the NULL too */
	execv(TANDEM, (char **)all);
	_exit(125);
}
