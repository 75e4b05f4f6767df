/* How a run of an instrumented program inside a test suite makes itself known to whoever records the suite. Nothing that the suite could notice is added to its world: no variable, no
 * descriptor, no file. All it inherits is a seccomp filter that answers one system call, which nobody makes, with a number:
 *
 *   program   prctl(TD_SUITE_PRCTL, 0) fails with EINVAL; or, inside a suite, with an error from TD_SUITE_FIRST on, its number
 *   program   prctl(TD_SUITE_PRCTL, 1), and 2, likewise: a token, so that what an earlier suite has left running is not taken for one of this suite's
 *   program   connects to the abstract socket TD_SUITE_SOCKET and that number, sends struct td_suite_hello
 *   recorder  sends a byte: there is somebody to listen
 *   program   installs the filter that is below, sends the same again, and with it the filter's listener, if there is none already (the kernel allows one: a program that was started by another such is
 *             heard by that one's)
 *   recorder  looks at the process (arguments, environment, directory, standard input), sends a byte
 *   program   closes both and calls main
 *
 * From then on the recorder is asked before each system call that names a file, and before each that reads standard input or makes a copy of its descriptor. */
#ifndef TANDEM_CONTRACT_SUITE_H
#define TANDEM_CONTRACT_SUITE_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define TD_SUITE_PRCTL 0x74646d21 /* no option has such a number */
#define TD_SUITE_FIRST 2000       /* no error has these; 4095 is the largest a system call can fail with */
#define TD_SUITE_LAST 4000
#define TD_SUITE_SOCKET "tandem-suite-" /* and four digits, behind a null byte */
#define TD_SUITE_DESCRIPTOR 200   /* ours are from here on while they are open, where there is room: the first free one may be standard input */

struct td_suite_hello {
	uint32_t version;  /* TD_VERSION */
	uint32_t tokens[2];
};

/* Linux 5.19, newer than some headers: a signal does not interrupt the call while the recorder looks. */
#define TD_LISTEN_KILLABLE (1u << 5)

#define TD_LISTEN_IF(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (skip))
#define TD_LISTEN_TELL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)

/* The filter, as initialisers of struct sock_filter; READS: what TD_LISTEN_READS says, or nothing. CALL is defined by who uses it:
 *   #define CALL(number, dir, name, dir2, name2) TD_LISTEN_IF(number, 1), TD_LISTEN_TELL, */
#define TD_LISTEN_BEGIN \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
/* Calls that read standard input if their first argument is 0, or give it another number; the first one is done for the process. */
#define TD_LISTEN_INPUTS(INPUT) \
	INPUT(SYS_read) INPUT(SYS_readv) INPUT(SYS_preadv2) INPUT(SYS_recvfrom) INPUT(SYS_recvmsg) INPUT(SYS_recvmmsg) INPUT(SYS_splice) INPUT(SYS_tee) \
	INPUT(SYS_dup) INPUT(SYS_dup2) INPUT(SYS_dup3) INPUT(SYS_fcntl)
#define TD_LISTEN_INPUT(number) \
	TD_LISTEN_IF(number, 4), \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)), \
	TD_LISTEN_IF(0, 1), \
	TD_LISTEN_TELL, \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
#define TD_LISTEN_READS TD_LISTEN_INPUTS(TD_LISTEN_INPUT)
#define TD_LISTEN_END BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),

#endif
