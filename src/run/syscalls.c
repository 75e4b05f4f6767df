/* Which system calls the target may not make.
 *
 * Everything is allowed but what the tables say: a traced program is an ordinary one, and a list of what
 * programs need would never be complete. The filter is made in the host, because libseccomp allocates, and
 * installed between fork and exec as plain instructions.
 *
 * Sockets: only UNIX stream sockets can be made, and connect is refused altogether: a path may lead to a
 * daemon that does for us what we may not (docker.sock). Datagram sockets go too, as sendmsg names a
 * receiver where no filter can look. socketpair works, except for datagrams.
 *
 * Signals, where nobody else keeps them in: kill may name the target itself only, by a process id that is
 * known after the fork; SELF stands for it until then. tgkill stays, or abort() could not raise SIGABRT.
 */
#include "run/syscalls.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SELF 0x5e1f0001u

struct refusal {
	const char *name;
	unsigned unless; /* enum syscalls_guard; 0: always */
	int error;
};

/* Calls that are refused whatever their arguments; names this libseccomp does not know are left out. */
static const struct refusal refusals[] = {
	{"mount", 0, EPERM}, {"umount", 0, EPERM}, {"umount2", 0, EPERM}, {"pivot_root", 0, EPERM},
	{"move_mount", 0, EPERM}, {"open_tree", 0, EPERM}, {"fsopen", 0, EPERM}, {"fsconfig", 0, EPERM},
	{"fsmount", 0, EPERM}, {"fspick", 0, EPERM}, {"mount_setattr", 0, EPERM},
	{"chroot", 0, EPERM}, {"setns", 0, EPERM}, {"unshare", 0, EPERM}, {"clone3", 0, ENOSYS},
	{"ptrace", 0, EPERM}, {"process_vm_readv", 0, EPERM}, {"process_vm_writev", 0, EPERM},
	{"process_madvise", 0, EPERM}, {"pidfd_getfd", 0, EPERM}, {"kcmp", 0, EPERM},
	{"bpf", 0, EPERM}, {"perf_event_open", 0, EPERM}, {"userfaultfd", 0, EPERM}, {"fanotify_init", 0, EPERM},
	{"io_uring_setup", 0, ENOSYS}, {"io_uring_enter", 0, ENOSYS}, {"io_uring_register", 0, ENOSYS},
	{"kexec_load", 0, EPERM}, {"kexec_file_load", 0, EPERM}, {"reboot", 0, EPERM}, {"init_module", 0, EPERM},
	{"finit_module", 0, EPERM}, {"delete_module", 0, EPERM}, {"iopl", 0, EPERM}, {"ioperm", 0, EPERM},
	{"add_key", 0, EPERM}, {"request_key", 0, EPERM}, {"keyctl", 0, EPERM}, {"swapon", 0, EPERM},
	{"swapoff", 0, EPERM}, {"settimeofday", 0, EPERM}, {"clock_settime", 0, EPERM}, {"clock_adjtime", 0, EPERM},
	{"adjtimex", 0, EPERM}, {"sethostname", 0, EPERM}, {"setdomainname", 0, EPERM}, {"syslog", 0, EPERM},
	{"acct", 0, EPERM}, {"quotactl", 0, EPERM}, {"quotactl_fd", 0, EPERM}, {"vhangup", 0, EPERM},
	{"open_by_handle_at", 0, EPERM}, {"connect", 0, EACCES}, {"ioprio_set", 0, EPERM},

	{"chmod", SYSCALLS_TREE, EPERM}, {"fchmod", SYSCALLS_TREE, EPERM}, {"fchmodat", SYSCALLS_TREE, EPERM},
	{"chown", SYSCALLS_TREE, EPERM}, {"fchown", SYSCALLS_TREE, EPERM}, {"lchown", SYSCALLS_TREE, EPERM},
	{"fchownat", SYSCALLS_TREE, EPERM}, {"utime", SYSCALLS_TREE, EPERM}, {"utimes", SYSCALLS_TREE, EPERM},
	{"futimesat", SYSCALLS_TREE, EPERM}, {"utimensat", SYSCALLS_TREE, EPERM}, {"setxattr", SYSCALLS_TREE, EPERM},
	{"lsetxattr", SYSCALLS_TREE, EPERM}, {"fsetxattr", SYSCALLS_TREE, EPERM}, {"removexattr", SYSCALLS_TREE, EPERM},
	{"lremovexattr", SYSCALLS_TREE, EPERM}, {"fremovexattr", SYSCALLS_TREE, EPERM},

	{"truncate", SYSCALLS_TRUNCATE, EACCES}, {"openat2", SYSCALLS_TRUNCATE, ENOSYS},

	{"rt_sigqueueinfo", SYSCALLS_SIGNALS, EPERM}, {"rt_tgsigqueueinfo", SYSCALLS_SIGNALS, EPERM},
	{"pidfd_send_signal", SYSCALLS_SIGNALS, EPERM},

	{"shmget", SYSCALLS_IPC, EPERM}, {"shmctl", SYSCALLS_IPC, EPERM}, {"shmat", SYSCALLS_IPC, EPERM},
	{"semget", SYSCALLS_IPC, EPERM}, {"semctl", SYSCALLS_IPC, EPERM}, {"semop", SYSCALLS_IPC, EPERM},
	{"semtimedop", SYSCALLS_IPC, EPERM}, {"msgget", SYSCALLS_IPC, EPERM}, {"msgctl", SYSCALLS_IPC, EPERM},
	{"msgsnd", SYSCALLS_IPC, EPERM}, {"msgrcv", SYSCALLS_IPC, EPERM}, {"mq_open", SYSCALLS_IPC, EPERM},
	{"mq_unlink", SYSCALLS_IPC, EPERM},
};

/* Calls newer than libseccomp 2.5; from 424 on a number means the same on every machine. */
static const struct { int number; unsigned unless; } recent[] = {
	{452, SYSCALLS_TREE} /* fchmodat2 */, {463, SYSCALLS_TREE} /* setxattrat */,
	{466, SYSCALLS_TREE} /* removexattrat */, {469, SYSCALLS_TREE} /* file_setattr */,
	{467, 0} /* open_tree_attr */,
};

/* Calls that may be made for oneself: argument `arg` must be 0. */
static const struct { const char *name; unsigned arg; } selfish[] = {
	{"prlimit64", 0}, {"setpriority", 1}, {"sched_setscheduler", 0}, {"sched_setparam", 0}, {"sched_setattr", 0},
	{"sched_setaffinity", 0}, {"migrate_pages", 0}, {"move_pages", 0},
};

static bool deny(scmp_filter_ctx ctx, int error, int number, unsigned n, const struct scmp_arg_cmp *cmp)
{
	if (number == __NR_SCMP_ERROR || number < 0) /* unknown here, or not on this machine */
		return true;
	return seccomp_rule_add_array(ctx, SCMP_ACT_ERRNO((unsigned)error), number, n, cmp) == 0;
}

static bool deny_unless(scmp_filter_ctx ctx, int error, const char *name, unsigned arg, uint64_t value)
{
	struct scmp_arg_cmp cmp = {.arg = arg, .op = SCMP_CMP_NE, .datum_a = value};
	return deny(ctx, error, seccomp_syscall_resolve_name(name), 1, &cmp);
}

static bool deny_if(scmp_filter_ctx ctx, int error, const char *name, unsigned arg, uint64_t mask, uint64_t value)
{
	struct scmp_arg_cmp cmp = {.arg = arg, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
	return deny(ctx, error, seccomp_syscall_resolve_name(name), 1, &cmp);
}

static bool add_tables(scmp_filter_ctx ctx, unsigned guards)
{
	bool ok = true;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		if (!(refusals[i].unless & guards))
			ok &= deny(ctx, refusals[i].error, seccomp_syscall_resolve_name(refusals[i].name), 0, NULL);
	for (size_t i = 0; i < sizeof recent / sizeof *recent; i++)
		if (!(recent[i].unless & guards))
			ok &= deny(ctx, EPERM, recent[i].number, 0, NULL);
	return ok;
}

static bool add_sockets(scmp_filter_ctx ctx)
{
	static const char *const makers[] = {"socket", "socketpair"};
	bool ok = deny_unless(ctx, EACCES, "sendto", 4, 0);
	for (size_t i = 0; i < 2; i++) {
		ok &= deny_unless(ctx, EACCES, makers[i], 0, AF_UNIX);
		ok &= deny_if(ctx, EACCES, makers[i], 1, 0xf, SOCK_DGRAM);
		ok &= deny_if(ctx, EACCES, makers[i], 1, 0xf, SOCK_RAW); /* the same for UNIX */
	}
	return ok;
}

static bool add_processes(scmp_filter_ctx ctx, unsigned guards)
{
	bool ok = deny_if(ctx, EPERM, "ioctl", 1, UINT32_MAX, TIOCSTI);
	if (!(guards & SYSCALLS_SIGNALS))
		ok &= deny_unless(ctx, EPERM, "kill", 0, SELF);
	if (guards & SYSCALLS_PROCESSES)
		return ok;
	for (size_t i = 0; i < sizeof selfish / sizeof *selfish; i++)
		ok &= deny_unless(ctx, EPERM, selfish[i].name, selfish[i].arg, 0);
	return ok && deny_unless(ctx, EPERM, "setpriority", 0, 0);
}

/* The listener checks clone's flags; without one they are checked here. */
static bool add_forks(scmp_filter_ctx ctx, unsigned guards)
{
	static const unsigned spaces[] = {
		CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP,
	};
	static const char *const forks[] = {"clone", "fork", "vfork"};
	bool ok = true;
	if (!(guards & SYSCALLS_FORKS)) {
		for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
			ok &= deny_if(ctx, EPERM, "clone", 0, spaces[i], spaces[i]);
		return ok;
	}
	for (size_t i = 0; i < 3; i++) {
		int number = seccomp_syscall_resolve_name(forks[i]);
		ok &= number < 0 || seccomp_rule_add_array(ctx, SCMP_ACT_NOTIFY, number, 0, NULL) == 0;
	}
	return ok;
}

/* A kernel before Landlock's version 3 truncates on O_RDONLY | O_TRUNC without asking for the right to write. */
static bool add_truncation(scmp_filter_ctx ctx, unsigned guards)
{
	if (guards & SYSCALLS_TRUNCATE)
		return true;
	unsigned mask = O_ACCMODE | O_TRUNC;
	return deny_if(ctx, EACCES, "open", 1, mask, O_TRUNC) && deny_if(ctx, EACCES, "openat", 2, mask, O_TRUNC);
}

static bool export(scmp_filter_ctx ctx, struct sock_filter **filter, unsigned short *count)
{
	struct stat st;
	int fd = memfd_create("filter", MFD_CLOEXEC);
	if (fd < 0)
		return false;
	*filter = NULL;
	bool ok = seccomp_export_bpf(ctx, fd) == 0 && fstat(fd, &st) == 0 && (*filter = malloc((size_t)st.st_size)) &&
		pread(fd, *filter, (size_t)st.st_size, 0) == st.st_size;
	if (ok)
		*count = (unsigned short)((size_t)st.st_size / sizeof **filter);
	else
		free(*filter);
	close(fd);
	return ok;
}

bool syscalls_compile(unsigned guards, struct sock_filter **filter, unsigned short *count, struct err *err)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
	if (!ctx)
		return err_set(err, "libseccomp gives no filter");
	bool ok = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0;
	ok = ok && add_tables(ctx, guards) && add_sockets(ctx) && add_processes(ctx, guards) && add_forks(ctx, guards) &&
		add_truncation(ctx, guards) && export(ctx, filter, count);
	seccomp_release(ctx);
	return ok || err_set(err, "libseccomp cannot make the filter");
}

enum { WAIT_KILLABLE = 1 << 5 }; /* of Linux 5.19; older headers do not have it */

bool syscalls_install(struct sock_filter *filter, unsigned short count, bool notify, int *listener)
{
	for (unsigned i = 0; i < count; i++)
		if (filter[i].k == SELF)
			filter[i].k = (unsigned)getpid();
	struct sock_fprog prog = {.len = count, .filter = filter};
	long got = -1;
	if (notify) /* a signal must not interrupt fork, which nobody expects */
		got = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | WAIT_KILLABLE, &prog);
	if (got < 0)
		got = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, notify ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0, &prog);
	if (got >= 0 && notify)
		*listener = (int)got;
	return got >= 0;
}
