/* While a command of the user's runs in our place: what a terminal sends goes to it as well; what is sent to us alone is passed on. */
#ifndef TANDEM_RUN_FORWARD_H
#define TANDEM_RUN_FORWARD_H

#include <signal.h>
#include <sys/types.h>

enum { FORWARD_SIGNALS = 5 };

struct forward {
	struct sigaction old[FORWARD_SIGNALS];
};

void forward_begin(struct forward *f, pid_t to);
void forward_end(struct forward *f);

#endif
