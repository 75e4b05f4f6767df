/* Starts a program in its sandbox and waits for it without ever being blocked by it.
 *
 * Standard input is a memory file, so that it can be rewound and rewritten, opened anew for reading only, as
 * a shell would. Output comes through pipes that are read all the time and thrown away past the limit: the
 * target is never blocked by us and cannot fill our memory. When the warden reports the end, everything
 * inside is dead, so what is in the pipes is all there will be.
 */
#include "run/box.h"

#include "base/err.h"
#include "base/str.h"
#include "contract/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t box_now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

uint64_t box_deadline(int wall_ms)
{
	return wall_ms > 0 ? box_now_us() + (uint64_t)wall_ms * 1000u : UINT64_MAX;
}

/* Names the commonest mistakes before anything is started. */
static bool check_program(const char *program, struct err *err)
{
	struct stat st;
	if (stat(program, &st))
		return err_errno(err, "%s", program);
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s: not a regular file", program);
	if (access(program, X_OK))
		return err_set(err, "%s: not executable", program);
	return true;
}

bool box_failure(const struct target_spec *spec, const struct warden_report *report, struct err *err)
{
	if (report->kind == WARDEN_LOST)
		return err_set(err, "%s: the sandbox's first process died (out of memory?)", spec->program);
	if (!report->exec)
		return err_set(err, "sandbox: %s: %s", report->what, strerror(report->error));
	if (report->error == ENOEXEC)
		return err_set(err, "%s: not a program for this machine", spec->program);
	if (report->error == ENOENT)
		return err_set(err, "%s: its loader or interpreter is missing, or the sandbox hides it", spec->program);
	return err_set(err, "%s: cannot execute: %s", spec->program, strerror(report->error));
}

/* Argument and environment vectors: the pointers are ours, the strings are borrowed. */

static char **make_argv(const struct target_spec *spec)
{
	size_t n = spec->argc ? spec->argc : 1;
	char **argv = calloc(n + 1, sizeof *argv);
	for (size_t i = 0; argv && i < n; i++)
		argv[i] = (char *)(spec->argc ? spec->argv[i] : spec->program);
	return argv;
}

/* Where the user's libraries are, as seen from any directory: LD_LIBRARY_PATH=..., or NULL if that is not set. The caller frees. */
static char *make_library_path(void)
{
	const char *from = getenv("LD_LIBRARY_PATH");
	char here[PATH_MAX];
	struct str text = {0};
	if (!from || !*from || !getcwd(here, sizeof here))
		return NULL;
	for (const char *name = "LD_LIBRARY_PATH="; from; name = ":") {
		size_t length = strcspn(from, ":");
		str_add(&text, name);
		if (*from != '/')
			str_printf(&text, "%s/", here);
		str_add_bytes(&text, from, length);
		from = from[length] ? from + length + 1 : NULL;
	}
	return text.text;
}

static bool same_name(const char *x, const char *y)
{
	size_t n = strcspn(x, "=");
	return strncmp(x, y, n) == 0 && y[n] == '=';
}

static void set_variable(char **env, size_t *count, const char *variable)
{
	size_t i = 0;
	while (i < *count && !same_name(variable, env[i]))
		i++;
	if (strchr(variable, '=')) {
		env[i] = (char *)variable;
		*count += i == *count;
	} else if (i < *count) {
		env[i] = env[--*count];
	}
}

static char **make_env(const struct target_spec *spec, char *home, char *tmp, char *trace, char *libraries)
{
	const char *const fixed[] = {"PATH=/usr/local/bin:/usr/bin:/bin", home, tmp, "LC_ALL=C", "TZ=UTC", libraries, NULL};
	const char *const *from = spec->envp ? spec->envp : fixed;
	size_t room = 0, n = 0;
	while (from[room])
		room++;
	char **env = calloc(room + spec->more_env_count + 2, sizeof *env);
	for (size_t i = 0; env && i < room; i++)
		env[n++] = (char *)from[i];
	for (size_t i = 0; env && i < spec->more_env_count; i++)
		set_variable(env, &n, spec->more_env[i]);
	if (env)
		env[n] = spec->trace_fd >= 0 ? trace : NULL;
	return env;
}

static bool start(struct box *box, const struct target_spec *spec, const int stdio[3], int extra, struct err *err)
{
	char home[PATH_MAX + 8], tmp[PATH_MAX + 8], trace[24], program[PATH_MAX];
	snprintf(home, sizeof home, "HOME=%s", spec->policy.scratch);
	snprintf(tmp, sizeof tmp, "TMPDIR=%s", spec->policy.scratch);
	snprintf(trace, sizeof trace, TD_ENV "=%d", spec->trace_fd);
	struct warden_launch launch = {
		.program = program, .stdio = {stdio[0], stdio[1], stdio[2]}, .keep = {spec->trace_fd, extra}, .plan = &box->plan,
		.umask = spec->umask ? spec->umask & 0777u : 022u,
	};
	if (!realpath(spec->program, program))
		return err_errno(err, "%s", spec->program);
	char *libraries = make_library_path(), **argv = make_argv(spec), **env = make_env(spec, home, tmp, trace, libraries);
	launch.argv = argv;
	launch.envp = env;
	bool ok = argv && env ? warden_start(&box->warden, &launch, err) : err_set(err, "out of memory");
	free(argv);
	free(env);
	free(libraries);
	return ok;
}

static int reopen_for_reading(int fd)
{
	char path[32];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* One end for us in pipes[which], the other is the result. */
static int open_output(struct box *box, int which)
{
	int ends[2];
	if (!box->output_max)
		return open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	box->pipes[which] = ends[0];
	return ends[1];
}

/* A pipe that is written to while we wait for the end. */
static int open_feed(struct box *box, const struct target_spec *spec)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	box->feed = ends[1];
	box->feed_at = spec->input;
	box->feed_left = spec->input_size;
	return ends[0];
}

/* -1: it is to be closed, or errno. */
static int open_input(struct box *box, const struct target_spec *spec)
{
	switch (spec->input_kind) {
	case TESTCASE_PIPE: return open_feed(box, spec);
	case TESTCASE_NULL: return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case TESTCASE_CLOSED: return -1;
	default: return reopen_for_reading(box->input);
	}
}

static bool open_and_start(struct box *box, const struct target_spec *spec, int extra, struct err *err)
{
	box->input = memfd_create("stdin", MFD_CLOEXEC);
	if (box->input < 0 || !box_set_input(box, spec->input, spec->input_size, err))
		return err_errno(err, "cannot make standard input");
	int stdio[3] = {open_input(box, spec), open_output(box, 0), open_output(box, 1)};
	bool ok = (stdio[0] >= 0 || spec->input_kind == TESTCASE_CLOSED) && stdio[1] >= 0 && stdio[2] >= 0 ? start(box, spec, stdio, extra, err)
		: err_errno(err, "cannot make pipes");
	for (int i = 0; i < 3; i++)
		if (stdio[i] >= 0)
			close(stdio[i]);
	return ok;
}

bool box_open(struct box *box, const struct target_spec *spec, int extra, struct err *err)
{
	*box = (struct box){.input = -1, .feed = -1, .pipes = {-1, -1}, .output_max = spec->output_max};
	if ((spec->trace_fd >= 0 && spec->trace_fd < 3) || (extra >= 0 && extra < 3))
		return err_set(err, "descriptors passed to a program must be above 2");
	if (!check_program(spec->program, err))
		return false;
	if (sandbox_plan_new(&box->plan, &spec->policy, err) && open_and_start(box, spec, extra, err))
		return true;
	box_close(box);
	return false;
}

bool box_set_input(struct box *box, const void *bytes, size_t size, struct err *err)
{
	const char *from = bytes;
	if (ftruncate(box->input, 0))
		return err_errno(err, "cannot empty standard input");
	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(box->input, from + done, size - done, (off_t)done);
		if (n <= 0)
			return err_errno(err, "cannot write standard input");
		done += (size_t)n;
	}
	return true;
}

/* Keeps what fits. Growing by doubling up to the limit, so that a small output costs little. */
static void keep(struct output *o, const char *bytes, size_t n, size_t max)
{
	size_t room = max - o->size, take = n < room ? n : room;
	o->cut |= take < n;
	if (!take)
		return;
	size_t have = o->size ? (size_t)1 << (64 - __builtin_clzll(o->size - 1 | 4095)) : 0;
	size_t need = (size_t)1 << (64 - __builtin_clzll((o->size + take - 1) | 4095));
	char *grown = need > have ? realloc(o->bytes, need) : o->bytes;
	if (!grown) {
		o->cut = true;
		return;
	}
	o->bytes = grown;
	memcpy(o->bytes + o->size, bytes, take);
	o->size += take;
}

#define PIPE_BLOCKS 32 /* more than the longest pipe holds */

/* At most `rounds` blocks, so that a flood cannot keep us from looking at the clock. */
static void pull(struct box *box, int which, struct output *o, int rounds)
{
	char block[1 << 16];
	while (box->pipes[which] >= 0 && rounds-- > 0) {
		ssize_t n = read(box->pipes[which], block, sizeof block);
		if (n < 0)
			return;
		if (n == 0) {
			close(box->pipes[which]);
			box->pipes[which] = -1;
			return;
		}
		keep(o, block, (size_t)n, box->output_max);
	}
}

void box_drain(struct box *box, struct outcome *out)
{
	pull(box, 0, &out->out, PIPE_BLOCKS);
	pull(box, 1, &out->err, PIPE_BLOCKS);
}

static void stop_feeding(struct box *box)
{
	if (box->feed >= 0)
		close(box->feed);
	box->feed = -1;
}

/* As much as the pipe takes; who does not want to read any more need not. */
static void feed(struct box *box)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	ssize_t n = 0;
	sigaction(SIGPIPE, &ignore, &old);
	while (box->feed_left && (n = write(box->feed, box->feed_at, box->feed_left)) > 0) {
		box->feed_at += n;
		box->feed_left -= (size_t)n;
	}
	if (!box->feed_left || (n < 0 && errno != EAGAIN && errno != EINTR))
		stop_feeding(box);
	sigaction(SIGPIPE, &old, NULL);
}

static int poll_ms(uint64_t deadline)
{
	uint64_t now = box_now_us();
	if (deadline == UINT64_MAX)
		return -1;
	uint64_t left = deadline > now ? (deadline - now + 999) / 1000 : 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

enum box_event box_wait(struct box *box, int extra, uint64_t deadline_us, struct outcome *out)
{
	for (;;) {
		struct pollfd fds[5] = {
			{.fd = box->warden.control, .events = POLLIN}, {.fd = extra, .events = POLLIN},
			{.fd = box->pipes[0], .events = POLLIN}, {.fd = box->pipes[1], .events = POLLIN},
			{.fd = box->feed, .events = POLLOUT},
		};
		int n = poll(fds, 5, poll_ms(deadline_us));
		if (n > 0 && fds[4].revents)
			feed(box);
		if (n > 0 && fds[2].revents)
			pull(box, 0, &out->out, 4);
		if (n > 0 && fds[3].revents)
			pull(box, 1, &out->err, 4);
		if (n > 0 && fds[1].revents)
			return BOX_EXTRA;
		if (n > 0 && fds[0].revents)
			return BOX_CONTROL;
		if (box_now_us() >= deadline_us)
			return BOX_TIMEOUT;
	}
}

void box_close(struct box *box)
{
	warden_close(&box->warden);
	for (int i = 0; i < 2; i++)
		if (box->pipes[i] >= 0)
			close(box->pipes[i]);
	if (box->input >= 0)
		close(box->input);
	stop_feeding(box);
	sandbox_plan_free(&box->plan);
	*box = (struct box){.input = -1, .feed = -1, .pipes = {-1, -1}};
}

void box_outcome(struct outcome *out, int status, bool killed)
{
	out->status = status;
	if (WIFEXITED(status)) {
		out->kind = OUTCOME_EXIT;
		out->code = WEXITSTATUS(status);
		return;
	}
	out->signal = WTERMSIG(status);
	out->kind = killed && out->signal == SIGKILL ? OUTCOME_TIMEOUT : OUTCOME_SIGNAL;
}
