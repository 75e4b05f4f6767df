/* Containment for a program that runs with inputs we invented: what may it do, and which mechanisms of
 * this kernel see to it. A policy says what is wanted; a plan is the policy matched with what works here. */
#ifndef TANDEM_RUN_SANDBOX_H
#define TANDEM_RUN_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct sock_filter;

/* MECHANISM(name, bit, text) */
#define SANDBOX_TABLE(MECHANISM) \
	MECHANISM(LANDLOCK, 0, "Landlock: writing only below the scratch directory, no TCP, signals kept inside") \
	MECHANISM(SECCOMP, 1, "seccomp: no sockets, mounts or chmod outside, number of processes limited") \
	MECHANISM(MOUNT, 2, "mount namespace: everything but the scratch directory is read-only") \
	MECHANISM(PID, 3, "pid namespace: outside processes cannot be named, leftovers die") \
	MECHANISM(NET, 4, "network, IPC and host name namespaces: no network devices") \
	MECHANISM(CAPS, 5, "capabilities: all of them dropped")
#define SANDBOX_KINDS 6

enum sandbox_mechanism {
#define MECHANISM(name, bit, text) SANDBOX_##name = 1u << bit,
	SANDBOX_TABLE(MECHANISM)
#undef MECHANISM
	SANDBOX_ALL = (1u << SANDBOX_KINDS) - 1
};

struct sandbox_limits { /* 0: no limit */
	unsigned cpu_s;
	unsigned processes;  /* alive at once, threads counted */
	unsigned open_files;
	uint64_t file_bytes; /* of one written file */
	uint64_t data_bytes; /* RLIMIT_DATA; address space is never limited, the shadow reserves too much of it */
};

struct sandbox_standin {
	const char *path;     /* a file, absolute */
	const char *file;     /* what the target finds there in its place (MOUNT only) */
};

struct sandbox_policy {
	const char *scratch;  /* absolute; the working directory, unless work says otherwise, and the only place to write */
	const char *work;     /* where the scratch directory is once more, and the target begins: a directory of world; NULL: that is not wanted (MOUNT only) */
	const char *world;    /* an empty directory: in it is all of the file system again */
	const char *also;     /* but for this one; NULL: there is none */
	unsigned use;         /* enum sandbox_mechanism, those to use if they work */
	bool allow_none;      /* run even if nothing protects the file system */
	const struct sandbox_standin *standins;
	size_t standins_count;
	bool private_tmp;     /* an empty tmpfs hides /tmp (MOUNT only); lasts as long as the fork server */
	struct sandbox_limits limits;
};

struct sandbox_report {
	unsigned works;            /* enum sandbox_mechanism */
	bool user_namespace;       /* the namespaces need one (we are not root) */
	bool notify;               /* seccomp can ask us about each fork: the limit on processes holds */
	bool own_count;            /* so does the kernel's own, in a user namespace: better, since nothing is suspended */
	int landlock_abi;          /* 0: none */
	int why[SANDBOX_KINDS];                /* errno by bit, for those that do not work */
};

struct sandbox_plan {
	struct sandbox_policy policy;
	unsigned use;
	bool user_namespace, notify;
	int landlock_abi;
	unsigned uid, gid;         /* asked before there is a user namespace, in which they would be unknown */
	struct sock_filter *filter;
	unsigned short filter_count;
};

struct sandbox_policy sandbox_policy_default(const char *scratch);
/* Tried out once per process, then remembered. */
const struct sandbox_report *sandbox_probe(void);
const char *sandbox_text(enum sandbox_mechanism one);

bool sandbox_plan_new(struct sandbox_plan *plan, const struct sandbox_policy *policy, struct err *err);
void sandbox_plan_free(struct sandbox_plan *plan);

/* What follows runs between fork and exec: system calls only, no allocation. Each returns NULL, or what could
 * not be done, with the reason in errno. */
int sandbox_clone_flags(const struct sandbox_plan *plan);
const char *sandbox_enter(const struct sandbox_plan *plan);                    /* in the first process inside */
const char *sandbox_confine(const struct sandbox_plan *plan, int *listener);   /* in the target */

#endif
