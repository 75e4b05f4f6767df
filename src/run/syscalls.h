/* The seccomp part of the sandbox: system calls that are refused. */
#ifndef TANDEM_RUN_SYSCALLS_H
#define TANDEM_RUN_SYSCALLS_H

#include <stdbool.h>

struct err;
struct sock_filter;

/* What somebody else sees to; the filter refuses the rest. */
enum syscalls_guard {
	SYSCALLS_TREE = 1u << 0,      /* the tree outside is read-only, for chmod too */
	SYSCALLS_TRUNCATE = 1u << 1,  /* truncating a file needs the right to write it */
	SYSCALLS_SIGNALS = 1u << 2,   /* no signal gets out */
	SYSCALLS_PROCESSES = 1u << 3, /* other processes cannot be named at all */
	SYSCALLS_IPC = 1u << 4,       /* System V and POSIX queues are private */
	SYSCALLS_FORKS = 1u << 5      /* fork and clone ask the listener */
};

bool syscalls_compile(unsigned guards, struct sock_filter **filter, unsigned short *count, struct err *err);
/* Between fork and exec; changes the filter in place (it inserts our process id). */
bool syscalls_install(struct sock_filter *filter, unsigned short count, bool notify, int *listener);

#endif
