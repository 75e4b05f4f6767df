/* See forward.h. */
#include "run/forward.h"

static const int signals[FORWARD_SIGNALS] = { SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP };

enum { IGNORED = 3 };

static volatile pid_t target;

static void pass(int number)
{
	if (target > 0)
		kill(target, number);
}

void forward_begin(struct forward *f, pid_t to)
{
	target = to;
	for (int i = 0; i < FORWARD_SIGNALS; i++) {
		struct sigaction a = { .sa_handler = i < IGNORED ? SIG_IGN : pass };
		sigaction(signals[i], &a, &f->old[i]);
	}
}

void forward_end(struct forward *f)
{
	for (int i = 0; i < FORWARD_SIGNALS; i++)
		sigaction(signals[i], &f->old[i], NULL);
	target = 0;
}
