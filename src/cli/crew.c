/* See crew.h. */
#include "cli/crew.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_US = 1000 };

struct crew {
	const struct crew_work *w;
	pid_t *pids;     /* by place; 0: nobody is there */
	size_t *items;
	size_t next, finished;
	bool told;
};

static bool is_stopped(const struct crew *c)
{
	return c->w->stop && *c->w->stop;
}

static void work(const struct crew_work *w, size_t item)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	w->work(w->context, item);
	fflush(NULL);
	_exit(0);
}

/* Where there cannot be another process it is done here. */
static void begin(struct crew *c, size_t place)
{
	size_t item = c->next++;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		work(c->w, item);
	c->items[place] = item;
	c->pids[place] = pid > 0 ? pid : 0;
	if (pid < 0) {
		c->w->work(c->w->context, item);
		c->w->over(c->w->context, item, ++c->finished);
	}
}

static void begin_all(struct crew *c)
{
	for (size_t i = 0; i < c->w->jobs; i++)
		if (!c->pids[i] && c->next < c->w->count && !is_stopped(c))
			begin(c, i);
}

static size_t running(const struct crew *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->w->jobs; i++)
		n += c->pids[i] != 0;
	return n;
}

static void stop_all(struct crew *c)
{
	for (size_t i = 0; i < c->w->jobs && !c->told; i++)
		if (c->pids[i])
			kill(c->pids[i], SIGTERM);
	c->told = true;
}

static void end(struct crew *c, pid_t pid, int status)
{
	for (size_t i = 0; i < c->w->jobs; i++) {
		if (c->pids[i] != pid)
			continue;
		c->pids[i] = 0;
		if (WIFSIGNALED(status) && !is_stopped(c))
			c->w->died(c->w->context, c->items[i], WTERMSIG(status));
		c->w->over(c->w->context, c->items[i], ++c->finished);
	}
}

void crew_run(const struct crew_work *w)
{
	struct crew c = { .w = w, .pids = mem_alloc((w->jobs + 1u) * sizeof *c.pids), .items = mem_alloc((w->jobs + 1u) * sizeof *c.items) };
	begin_all(&c);
	while (running(&c)) {
		int status = 0;
		pid_t pid = waitpid(-1, &status, WNOHANG);
		if (is_stopped(&c))
			stop_all(&c);
		if (pid > 0)
			end(&c, pid, status);
		else
			usleep(LOOK_US);
		begin_all(&c);
	}
	free(c.pids);
	free(c.items);
}
