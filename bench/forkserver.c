/* Fork server against fork and exec: traced runs per second of a program on 16 symbolic bytes of standard input, the
 * host reading every event and term of each trace, beside fork+exec of the plain program on the same input; and the same with each run in a process of its
 * own. Wall time, all measured in turns in one run; prints the ratios.
 *
 *     make bench && build/bench/forkserver TRACED PLAIN ARGS...
 */
#include "engine/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 500, ROUNDS = 5 };

static const char input[] = "a:b:c:d:e:f:g:h";

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t read_trace(const struct trace *t)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < t->events_count; i++)
		sum += t->events[i].node + t->events[i].value;
	for (uint32_t i = 1; i < t->terms.count; i++)
		sum += t->terms.nodes[i].op + t->terms.nodes[i].lo;
	return sum;
}

static double traced_round(struct runner *r, const struct testcase *f, struct trace *t)
{
	struct err err = {0};
	uint64_t sum = 0;
	double start = now();
	for (int i = 0; i < RUNS; i++) {
		struct outcome out = {0};
		if (!runner_run(r, f, &out, t, &err)) {
			fprintf(stderr, "forkserver: %s\n", err.text);
			exit(6);
		}
		sum += read_trace(t);
		outcome_free(&out);
	}
	double seconds = now() - start;
	return sum ? seconds : 0;
}

static double plain_round(char **argv, int fd)
{
	extern char **environ;
	double start = now();
	for (int i = 0; i < RUNS; i++) {
		posix_spawn_file_actions_t actions;
		posix_spawn_file_actions_init(&actions);
		lseek(fd, 0, SEEK_SET);
		posix_spawn_file_actions_adddup2(&actions, fd, 0);
		posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
		pid_t pid;
		if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0) {
			fprintf(stderr, "forkserver: cannot run %s\n", argv[0]);
			exit(6);
		}
		posix_spawn_file_actions_destroy(&actions);
		waitpid(pid, NULL, 0);
	}
	return now() - start;
}

static struct runner *server(const char *program, bool fresh)
{
	struct err err = {0};
	struct runner_options o = {.program = program, .flags = TD_SYM_STDIN, .fresh = fresh, .sandbox = true, .wall_ms = 5000};
	struct runner *r = runner_open(&o, &err);
	if (!r) {
		fprintf(stderr, "forkserver: %s\n", err.text);
		exit(6);
	}
	return r;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: forkserver TRACED PLAIN ARGS...\n");
		return 1;
	}
	struct runner *r = server(argv[1], false), *fresh = server(argv[1], true);
	struct testcase f = {.args = (const char *const *)(argv + 2), .args_count = (size_t)argc - 2, .bytes = (const uint8_t *)input, .size = sizeof input};
	int fd = memfd_create("input", 0);
	if (write(fd, input, sizeof input) < 0)
		return 6;
	struct trace t = {0};
	double traced = 1e9, forked = 1e9, plain = 1e9;
	for (int i = 0; i < ROUNDS; i++) {
		traced = least(traced, traced_round(r, &f, &t));
		forked = least(forked, traced_round(fresh, &f, &t));
		plain = least(plain, plain_round(argv + 2, fd));
	}
	printf("fork server, traced: %.0f runs/s (%u events, %u terms each); fork+exec, plain: %.0f runs/s; ratio %.2fx (bar 2x)\n",
	       (double)RUNS / traced, t.events_count, t.terms.count, (double)RUNS / plain, plain / traced);
	printf("each run in a process of its own: %.0f runs/s; ratio to that %.2fx\n", (double)RUNS / forked, forked / traced);
	runner_close(r);
	runner_close(fresh);
	return 0;
}
