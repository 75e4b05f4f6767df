/* The warden: our process between host and target. It is the first one inside the namespaces, starts the
 * target, answers for the number of processes, reaps all of them and tells the host how the target ended. */
#ifndef TANDEM_RUN_WARDEN_H
#define TANDEM_RUN_WARDEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct sandbox_plan;

struct warden_launch {
	const char *program; /* absolute */
	char *const *argv, *const *envp;
	int stdio[3];        /* standard input -1: closed */
	unsigned umask;
	int keep[2];         /* descriptors passed on under their own numbers, all above 2; -1: none */
	const struct sandbox_plan *plan;
};

struct warden {
	pid_t pid;
	int control;
	_Atomic uint64_t *forks; /* it has allowed so many, + 1; 0: nobody asks it */
};

enum warden_kind { WARDEN_FAILED = 1, WARDEN_ENDED, WARDEN_SWEPT, WARDEN_LOST };

struct warden_report {
	uint32_t kind;    /* enum warden_kind */
	int32_t error;    /* FAILED: errno */
	int32_t status;   /* ENDED: the target's wait status */
	uint32_t exec;    /* FAILED: it was the exec */
	uint64_t cpu_us;  /* ENDED: of the target and the children it waited for */
	uint64_t peak;    /* ENDED: bytes that were resident at most in one of them; what it was a copy of before exec counts */
	char what[56];    /* FAILED: what could not be done */
};

bool warden_start(struct warden *w, const struct warden_launch *launch, struct err *err);
void warden_receive(struct warden *w, struct warden_report *report); /* when control is readable */
void warden_kill(struct warden *w);   /* ends the target and all it started; ENDED follows */
void warden_sweep(struct warden *w);  /* ends all but the target itself; SWEPT follows */
void warden_close(struct warden *w);  /* whatever still runs is killed */

#endif
