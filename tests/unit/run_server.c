/* The fork server's client against a small server that speaks contract/server.h: the first byte of standard
 * input tells the child what to do. */
#include "run_common.h"

#include "contract/server.h"
#include "contract/trace.h"
#include "run/request.h"
#include "run/server.h"
#include "testcase/testcase.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#define ARGS_OFF TD_HEADER_SIZE
#define ARGS_SIZE 4096u

/* The fake runtime. */

/* Leaves a daemon behind that writes later. */
static void leave_daemon(void)
{
	struct timespec later = {.tv_nsec = 150000000};
	if (fork() != 0)
		return;
	nanosleep(&later, NULL);
	open("late", O_CREAT | O_WRONLY, 0600);
	_exit(0);
}

static void child_main(const struct td_header *h)
{
	const char *args = (const char *)h + ARGS_OFF;
	char what = 0;

	(void)!read(0, &what, 1);
	switch (what) {
	case 'a': abort();
	case 'h':
		for (;;)
			pause();
	case 'd': leave_daemon(); _exit(0);
	case 'w': _exit(mkdir("dir", 0) || open("file", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0);
	case 'k': kill(getppid(), SIGKILL); _exit(0);
	default:
		dprintf(1, "%u %s %s", h->argc, args, args + strlen(args) + 1);
		_exit(what);
	}
}

static void say(int fd, enum td_server_message kind, int value)
{
	struct td_message m = {.kind = kind, .value = value, .forks = kind == TD_MSG_ENDED};
	if (send(fd, &m, sizeof m, MSG_NOSIGNAL) != sizeof m)
		_exit(0);
}

/* One run: KILL may come at any time, so the wait for the child goes on beside the socket. */
static void serve_run(int fd, const struct td_header *h)
{
	struct td_message m;
	int status;
	lseek(0, 0, SEEK_SET);
	pid_t pid = fork();
	if (pid == 0) {
		close(fd);
		child_main(h);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct timespec ms = {.tv_nsec = 200000};
		if (recv(fd, &m, sizeof m, MSG_DONTWAIT) > 0 && m.kind == TD_MSG_KILL)
			kill(pid, SIGKILL);
		nanosleep(&ms, NULL);
	}
	say(fd, TD_MSG_ENDED, status);
}

static int server_main(const char *mode)
{
	int trace = atoi(getenv("TANDEM"));
	struct td_header *h = mmap(NULL, TD_HEADER_SIZE + ARGS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, trace, 0);
	struct td_message m;
	if (h == MAP_FAILED || !(h->flags & TD_SERVER))
		return 2;
	if (*mode == 'x')
		return 3; /* a program that never says hello */
	if (*mode == 'f')
		leave_daemon(); /* as a constructor of the program may */
	say(h->server_fd, TD_MSG_HELLO, 0);
	while (recv(h->server_fd, &m, sizeof m, 0) == sizeof m && m.kind != TD_MSG_QUIT)
		if (m.kind == TD_MSG_RUN)
			serve_run(h->server_fd, h);
	return 0;
}

/* The tests. */

static struct scratch scratch;
static struct td_header *header;
static struct target_spec spec;
static const char *words[4];

static int set_up(void **state)
{
	(void)state;
	int fd = memfd_create("trace", MFD_CLOEXEC);
	if (!scratch_open(&scratch, NULL, NULL) || fd < 0 || ftruncate(fd, TD_HEADER_SIZE + ARGS_SIZE))
		return 1;
	header = mmap(NULL, TD_HEADER_SIZE + ARGS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	*header = (struct td_header){.args_off = ARGS_OFF, .args_size = ARGS_SIZE};
	spec = common_spec(&scratch, words, "server", "s");
	spec.trace_fd = fd;
	spec.wall_ms = 2000;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	munmap(header, TD_HEADER_SIZE + ARGS_SIZE);
	close(spec.trace_fd);
	return !scratch_close(&scratch, NULL);
}

static struct server *open_server(void)
{
	struct err err = {0};
	struct server *s = server_open(&spec, header, &scratch, &err);
	common_ok(s != NULL, &err);
	return s;
}

static struct outcome run(struct server *s, const char *input)
{
	static const char *const args[] = {"prog", "one"};
	struct outcome out;
	struct err err = {0};
	struct testcase t = {.args = args, .args_count = 2, .bytes = (const uint8_t *)input, .size = strlen(input)};
	common_ok(server_run(s, &t, false, &out, &err), &err);
	return out;
}

static void test_many_runs(void **state)
{
	char input[8];
	(void)state;
	struct server *s = open_server();
	for (int i = 1; i < 60; i++) {
		snprintf(input, sizeof input, "%c", i);
		struct outcome out = run(s, input);
		assert_int_equal(out.kind, OUTCOME_EXIT);
		assert_int_equal(out.code, i);
		assert_int_equal(out.out.size, strlen("2 prog one"));
		assert_memory_equal(out.out.bytes, "2 prog one", out.out.size);
		outcome_free(&out);
	}
	assert_int_equal(run(s, "a").signal, SIGABRT);
	server_close(s);
}

/* What a run does is over when it is over: processes, files, time. With and without a pid namespace. */
static void test_runs_do_not_meet(void **state)
{
	static const unsigned uses[] = {
		SANDBOX_ALL, SANDBOX_ALL & ~(unsigned)SANDBOX_PID, SANDBOX_MOUNT | SANDBOX_SECCOMP, SANDBOX_LANDLOCK,
	};
	struct timespec wait = {.tv_nsec = 250000000};
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		spec.policy.use = uses[i];
		struct server *s = open_server();
		assert_int_equal(run(s, "h").kind, OUTCOME_TIMEOUT);
		for (int j = 0; j < 3; j++)
			assert_int_equal(run(s, "w").code, 0); /* each finds an empty directory */
		assert_int_equal(run(s, "d").kind, OUTCOME_EXIT);
		nanosleep(&wait, NULL);
		assert_false(scratch_dirty(&scratch)); /* the daemon is gone though the server lives */
		server_close(s);
		words[3] = "f";
		s = open_server();
		assert_int_equal(run(s, "\1").code, 1);
		nanosleep(&wait, NULL);
		assert_false(scratch_dirty(&scratch)); /* nor does one from before the first run outlive it */
		server_close(s);
		words[3] = "s";
	}
	spec.policy.use = SANDBOX_ALL;
}

static void test_death_is_an_error(void **state)
{
	static const char *const args[] = {"prog"};
	struct outcome out;
	struct err err = {0};
	(void)state;
	struct server *s = open_server();
	assert_false(server_run(s, &(struct testcase){.args = args, .args_count = 1, .bytes = (const uint8_t *)"k", .size = 1}, false, &out, &err));
	assert_non_null(strstr(err.text, "fork server"));
	server_close(s);
	words[3] = "x";
	err.text[0] = '\0';
	assert_null(server_open(&spec, header, &scratch, &err));
	assert_non_null(strstr(err.text, "exited with 3"));
	words[3] = "s";
	struct target_spec missing = spec;
	missing.program = "/no/such/program";
	err.text[0] = '\0';
	assert_null(server_open(&missing, header, &scratch, &err));
	assert_non_null(strstr(err.text, "/no/such/program"));
}

static void test_long_arguments(void **state)
{
	static char word[ARGS_SIZE + 1];
	const char *const args[] = {"prog", word};
	struct outcome out;
	struct err err = {0};
	(void)state;
	memset(word, 'w', ARGS_SIZE);
	struct server *s = open_server();
	assert_false(server_run(s, &(struct testcase){.args = args, .args_count = 2}, false, &out, &err));
	assert_non_null(strstr(err.text, "arguments"));
	outcome_free(&out);
	out = run(s, "a"); /* and the server lives on */
	assert_int_equal(out.signal, SIGABRT);
	server_close(s);
}

/* Strings and marks, one behind the other; what does not fit is not there at all. */
static void test_request(void **state)
{
	static const char *const args[] = {"prog"}, *const env[] = {"A=b", "C="};
	const struct testcase_file file = {.path = "d/f"};
	const struct testcase_mark marks[] = {{"m", (const uint8_t *)"xyz", 3}, {"n", NULL, 0}};
	struct testcase t = {
		.args = args, .args_count = 1, .env = env, .env_count = 2, .files = &file, .files_count = 1, .marks = marks, .marks_count = 2,
	};
	struct err err = {0};
	(void)state;
	common_ok(request_put(header, &t, &err), &err);
	assert_memory_equal((char *)header + ARGS_OFF, "prog\0A=b\0C=\0d/f\0\3\0\0\0xyz\0\0\0", 27);
	assert_true(header->argc == 1 && header->env == 2 && header->files == 1 && header->marks == 2);
	header->args_size = 20;
	assert_false(request_put(header, &t, &err));
	header->args_size = ARGS_SIZE;
	assert_true(header->argc == 0 && header->env == 0 && header->files == 0 && header->marks == 0);
}

int main(int argc, char **argv)
{
	common_init();
	if (argc == 4)
		_exit(server_main(argv[3]));
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_runs), cmocka_unit_test(test_runs_do_not_meet),
		cmocka_unit_test(test_death_is_an_error), cmocka_unit_test(test_long_arguments),
		cmocka_unit_test(test_request),
		cmocka_unit_test(common_again_as_user),
	};
	return cmocka_run_group_tests_name("run_server", tests, set_up, tear_down);
}
