/* Which system calls can be undone: the tables, and the filter that is made of them. A call is harmless here if nothing of it is left in the process, or only what rewind.c puts back, or
 * if what is left is there after a process's end too. What is not in the tables is not harmless, so nothing has to be known about calls that are yet to be invented. */
#include "harmless.h"

#include "pages.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const uint16_t harmless[] = {
	SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_newfstatat, SYS_openat, SYS_brk, SYS_rt_sigprocmask, SYS_futex,
	SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_preadv, SYS_pwritev, SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_statx,
	SYS_access, SYS_faccessat, SYS_faccessat2, SYS_pipe, SYS_pipe2, SYS_dup, SYS_dup2, SYS_dup3, SYS_poll, SYS_ppoll, SYS_select,
	SYS_pselect6, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_truncate, SYS_getdents64, SYS_getcwd, SYS_rename,
	SYS_renameat, SYS_renameat2, SYS_mkdir, SYS_mkdirat, SYS_rmdir, SYS_link, SYS_linkat, SYS_unlink, SYS_unlinkat, SYS_symlink,
	SYS_symlinkat, SYS_readlink, SYS_readlinkat, SYS_chmod, SYS_fchmod, SYS_fchmodat, SYS_chown, SYS_fchown, SYS_lchown,
	SYS_fchownat, SYS_utimensat, SYS_utimes, SYS_utime, SYS_statfs, SYS_fstatfs, SYS_fadvise64, SYS_copy_file_range, SYS_sendfile,
	SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr, SYS_nanosleep, SYS_clock_nanosleep,
	SYS_gettimeofday, SYS_clock_getres, SYS_time, SYS_getrlimit, SYS_getpid, SYS_gettid,
	SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_getpgrp,
	SYS_getpgid, SYS_getsid, SYS_uname, SYS_sysinfo, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu, SYS_getrandom, SYS_capget,
	SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_pause, SYS_sigaltstack, SYS_umask,
	SYS_mincore, SYS_chdir, SYS_fchdir, SYS_restart_syscall, SYS_getpriority,
};

/* Harmless if the lower half of this argument is, or is not, this. Processor time is that of all runs. */
static const struct { uint16_t call, argument; uint32_t value; bool equal; } conditional[] = {
	{SYS_fcntl, 1, F_GETFL, true}, {SYS_fcntl, 1, F_GETFD, true}, {SYS_fcntl, 1, F_SETFD, true}, {SYS_fcntl, 1, F_SETFL, true},
	{SYS_fcntl, 1, F_DUPFD, true}, {SYS_fcntl, 1, F_DUPFD_CLOEXEC, true}, {SYS_fcntl, 1, F_GETLK, true}, {SYS_fcntl, 1, F_SETLK, true},
	{SYS_fcntl, 1, F_SETLKW, true}, {SYS_fcntl, 1, F_GETPIPE_SZ, true},
	{SYS_clock_gettime, 0, CLOCK_REALTIME, true}, {SYS_clock_gettime, 0, CLOCK_MONOTONIC, true},
	{SYS_rt_sigaction, 0, SIGSYS, false}, {SYS_ioctl, 1, TCGETS, true}, {SYS_ioctl, 1, TIOCGWINSZ, true}, {SYS_ioctl, 1, FIONREAD, true},
	{SYS_ioctl, 1, TIOCGPGRP, true}, {SYS_prlimit64, 2, 0, true},
};

enum { HARMLESS = sizeof harmless / sizeof *harmless, CONDITIONAL = sizeof conditional / sizeof *conditional };
enum { LENGTH = 16 + 2 * HARMLESS + 5 * CONDITIONAL };

struct program {
	struct sock_filter code[LENGTH];
	unsigned short count;
};

static void put(struct program *p, unsigned code, uint32_t k, unsigned yes, unsigned no)
{
	p->code[p->count++] = (struct sock_filter){(uint16_t)code, (uint8_t)yes, (uint8_t)no, k};
}

static void load(struct program *p, uint64_t offset)
{
	put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void result(struct program *p, uint32_t action)
{
	put(p, BPF_RET | BPF_K, action, 0, 0);
}

/* Skips so many instructions unless the number is this. */
static void unless(struct program *p, uint32_t value, unsigned skip)
{
	put(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}

static void compose(struct program *p)
{
	uint64_t ours = (uint64_t)pages_called;
	load(p, offsetof(struct seccomp_data, arch));
	put(p, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	result(p, SECCOMP_RET_KILL_PROCESS);
	load(p, offsetof(struct seccomp_data, instruction_pointer));
	unless(p, (uint32_t)ours, 3);
	load(p, offsetof(struct seccomp_data, instruction_pointer) + 4);
	unless(p, (uint32_t)(ours >> 32), 1);
	result(p, SECCOMP_RET_ALLOW);
	load(p, offsetof(struct seccomp_data, nr));
	unless(p, SYS_exit_group, 1);
	result(p, SECCOMP_RET_TRAP);
	unless(p, SYS_exit, 1);
	result(p, SECCOMP_RET_TRAP);
	for (unsigned i = 0; i < HARMLESS; i++) {
		unless(p, harmless[i], 1);
		result(p, SECCOMP_RET_ALLOW);
	}
	for (unsigned i = 0; i < CONDITIONAL; i++) {
		unless(p, conditional[i].call, 4);
		load(p, offsetof(struct seccomp_data, args) + 8ull * conditional[i].argument);
		put(p, BPF_JMP | BPF_JEQ | BPF_K, conditional[i].value, !conditional[i].equal, conditional[i].equal);
		result(p, SECCOMP_RET_ALLOW);
		load(p, offsetof(struct seccomp_data, nr));
	}
	result(p, SECCOMP_RET_KILL_PROCESS);
}

bool harmless_only(void)
{
	struct program p = {.count = 0};
	compose(&p);
	struct sock_fprog prog = {.len = p.count, .filter = p.code};
	return !syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !pages_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&prog, 0);
}
