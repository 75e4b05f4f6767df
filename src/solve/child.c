/* A forked helper at the other end of a socket. A problem is a few arrays without pointers, so it is sent as it is in memory: both
 * sides are the same program. The helper builds a context for each, so what it answers does not depend on what it
 * was asked before, nor on whether it was started anew in between.
 *
 * Z3 counts its own steps and stops by itself; then it looks at the clock; and if it does neither, its process is killed here. The
 * helper dies with us, and holds none of our descriptors: others wait for their ends. */
#include "solve/child.h"

#include "base/str.h"
#include "expr/op.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <z3.h>

#define MEMORY_MAX "2048"  /* MiB */
#define PATIENCE_MS 2000   /* beyond Z3's own limits */
#define SIZE_MAX_SENT (1u << 30)

struct request {
	uint32_t nodes, arrays, array_bytes, variables;
	uint64_t parts, goals;
	struct smt_limits limits;
};

struct reply {
	uint32_t verdict;
	uint32_t ok;
};

/* --- a socket and a deadline --- */

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool wait_for(int fd, short what, int64_t deadline)
{
	for (;;) {
		int64_t left = deadline < 0 ? -1 : deadline - now_ms();
		struct pollfd p = { fd, what, 0 };
		if (deadline >= 0 && left <= 0)
			return false;
		int n = poll(&p, 1, left > 60000 ? 60000 : (int)left);
		if (n > 0)
			return p.revents & what;
		if (n < 0 && errno != EINTR)
			return false;
	}
}

/* deadline < 0: none. */
static bool move(int fd, void *bytes, size_t size, bool out, int64_t deadline)
{
	char *at = bytes;
	while (size) {
		ssize_t n = out ? send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT) : recv(fd, at, size, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
			if (!wait_for(fd, out ? POLLOUT : POLLIN, deadline))
				return false;
			continue;
		}
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/* --- the helper --- */

static void *receive(int fd, size_t count, size_t size, struct arena *arena, bool *ok)
{
	void *bytes = arena_alloc(arena, count * size + 1);
	*ok = *ok && count * size <= SIZE_MAX_SENT && move(fd, bytes, count * size, false, -1);
	return bytes;
}

static bool read_problem(int fd, const struct request *r, struct problem *p, struct arena *arena)
{
	bool ok = true;
	*p = (struct problem){ .count = r->parts, .goals = r->goals, .variables_count = r->variables };
	p->terms = (struct terms){ .count = r->nodes, .arrays_count = r->arrays };
	p->terms.nodes = receive(fd, r->nodes, sizeof *p->terms.nodes, arena, &ok);
	p->terms.arrays = receive(fd, r->arrays, sizeof *p->terms.arrays, arena, &ok);
	p->terms.array_bytes = receive(fd, r->array_bytes, 1, arena, &ok);
	p->parts = receive(fd, r->parts, sizeof *p->parts, arena, &ok);
	p->variables = receive(fd, r->variables, sizeof *p->variables, arena, &ok);
	p->seed = receive(fd, r->nodes, sizeof *p->seed, arena, &ok);
	return ok;
}

static bool serve_one(int fd, struct arena *arena)
{
	struct request r;
	struct problem p;
	struct reply reply = {0};
	enum verdict v = VERDICT_UNKNOWN;
	if (!move(fd, &r, sizeof r, false, -1) || !read_problem(fd, &r, &p, arena))
		return false;
	uint64_t *model = arena_alloc(arena, (r.variables + 1) * sizeof *model);
	reply.ok = smt_ask(&p, &r.limits, arena, &v, model, NULL);
	reply.verdict = (uint32_t)v;
	return move(fd, &reply, sizeof reply, true, -1) && move(fd, model, r.variables * sizeof *model, true, -1);
}

static _Noreturn void serve(int fd, pid_t parent)
{
	struct arena *arena = arena_new();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(fd, 3) < 0 || close_range(4, ~0u, 0) != 0)
		_exit(1);
	Z3_global_param_set("memory_max_size", MEMORY_MAX);
	while (serve_one(3, arena))
		arena_reset(arena);
	_exit(0);
}

/* --- our side --- */

static bool start(struct child *c)
{
	int fds[2];
	pid_t parent = getpid();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		return false;
	fflush(NULL);
	c->pid = fork();
	if (c->pid == 0)
		serve(fds[1], parent);
	close(fds[1]);
	c->fd = fds[0];
	if (c->pid < 0) {
		close(c->fd);
		c->pid = 0;
		return false;
	}
	c->started++;
	return true;
}

void child_stop(struct child *c)
{
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(c->fd);
	c->pid = 0;
}

/* The arrays that its terms name, numbered anew. */
static void put_tables(const struct problem *p, struct td_node *nodes, struct str *arrays, struct str *bytes, uint32_t *count)
{
	uint32_t *number = mem_alloc((p->terms.arrays_count + 1) * sizeof *number);
	for (uint32_t id = 1; id < p->terms.count; id++) {
		if (nodes[id].op != TD_TABLE)
			continue;
		uint32_t *at = &number[nodes[id].b];
		if (!*at) {
			struct td_array a = p->terms.arrays[nodes[id].b];
			const uint8_t *from = p->terms.array_bytes + a.offset;
			a.offset = (uint32_t)bytes->length;
			str_add_bytes(bytes, from, (size_t)a.count * (a.bits / 8u));
			str_add_bytes(bytes, "\0\0\0\0\0\0\0", -bytes->length & 7);
			str_add_bytes(arrays, &a, sizeof a);
			*at = ++*count;
		}
		nodes[id].b = *at - 1;
	}
	free(number);
}

static void put_problem(const struct problem *p, const struct smt_limits *limits, struct arena *arena, struct str *out)
{
	struct str arrays = {0}, bytes = {0};
	struct request r = { .nodes = p->terms.count, .variables = p->variables_count, .parts = p->count, .goals = p->goals, .limits = *limits };
	struct td_node *nodes = arena_copy(arena, p->terms.nodes, p->terms.count * sizeof *nodes);
	put_tables(p, nodes, &arrays, &bytes, &r.arrays);
	r.array_bytes = (uint32_t)bytes.length;
	str_add_bytes(out, &r, sizeof r);
	str_add_bytes(out, nodes, r.nodes * sizeof *nodes);
	str_add_bytes(out, str_text(&arrays), arrays.length);
	str_add_bytes(out, str_text(&bytes), bytes.length);
	str_add_bytes(out, p->parts, r.parts * sizeof *p->parts);
	str_add_bytes(out, p->variables, r.variables * sizeof *p->variables);
	str_add_bytes(out, p->seed, r.nodes * sizeof *p->seed);
	str_free(&arrays);
	str_free(&bytes);
}

static bool exchange(struct child *c, const struct str *text, int64_t deadline, struct reply *reply, uint64_t *model, size_t variables)
{
	return move(c->fd, text->text, text->length, true, deadline) && move(c->fd, reply, sizeof *reply, false, deadline) &&
	       move(c->fd, model, variables * sizeof *model, false, deadline) && reply->ok && reply->verdict <= VERDICT_UNKNOWN;
}

bool child_ask(struct child *c, const struct problem *p, const struct smt_limits *limits, struct arena *arena, enum verdict *verdict,
               uint64_t *model)
{
	struct reply reply = {0};
	struct str text = {0};
	int64_t deadline = now_ms() + 2 * (int64_t)(limits->timeout_ms ? limits->timeout_ms : 60000) + PATIENCE_MS;
	*verdict = VERDICT_UNKNOWN;
	if (!c->pid && !start(c))
		return false;
	put_problem(p, limits, arena, &text);
	bool ok = exchange(c, &text, deadline, &reply, model, p->variables_count);
	str_free(&text);
	if (ok) {
		*verdict = (enum verdict)reply.verdict;
		return true;
	}
	*(now_ms() >= deadline ? &c->killed : &c->died) += 1;
	child_stop(c);
	return false;
}
