/* The sandbox: which mechanisms, and in which order.
 *
 * No single mechanism is enough on every kernel we meet. Landlock before 6.2 lets truncate through and before
 * 6.7 the network, and never looks at chmod or utime; a mount namespace covers those but is often forbidden
 * in containers; seccomp sees numbers, not paths. So they are used together, each one that works, and a
 * policy may switch any of them off, which is how the tests show what each one enforces. What one mechanism
 * leaves open decides what the seccomp filter must deny (syscalls.h).
 *
 * Order: namespaces while we still have privileges (in the first process inside), then in the target limits,
 * no_new_privs, Landlock, capabilities, seccomp last, because each step forbids what the earlier ones need.
 *
 * Invariant: without Landlock and without a mount namespace nothing is started, unless the policy says so.
 */
#include "run/sandbox.h"

#include "base/err.h"
#include "run/fence.h"
#include "run/syscalls.h"
#include "run/view.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define IDS_NS (CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)

static struct sandbox_report found;
static pthread_once_t found_once = PTHREAD_ONCE_INIT;

struct sandbox_policy sandbox_policy_default(const char *scratch)
{
	return (struct sandbox_policy){
		.scratch = scratch,
		.use = SANDBOX_ALL,
		.limits = {.cpu_s = 20, .processes = 64, .open_files = 256, .file_bytes = 64u << 20},
	};
}

const char *sandbox_text(enum sandbox_mechanism one)
{
	switch (one) {
#define MECHANISM(name, bit, text) case SANDBOX_##name: return text;
	SANDBOX_TABLE(MECHANISM)
#undef MECHANISM
	default: return "several mechanisms";
	}
}

static int plan_flags(unsigned use, bool user)
{
	int flags = 0;
	if (use & SANDBOX_MOUNT)
		flags |= CLONE_NEWNS;
	if (use & SANDBOX_PID)
		flags |= CLONE_NEWPID | CLONE_NEWNS; /* its own /proc must be mounted somewhere */
	if (use & SANDBOX_NET)
		flags |= IDS_NS;
	return flags && user ? flags | CLONE_NEWUSER : flags;
}

int sandbox_clone_flags(const struct sandbox_plan *plan)
{
	return plan_flags(plan->use, plan->user_namespace);
}

/* Enters the namespaces in a child and says with which errno that failed. */
static int probe_namespaces(unsigned use, bool user)
{
	struct sandbox_plan plan = {
		.policy = {.scratch = "/tmp"}, .use = use, .user_namespace = user, .uid = geteuid(), .gid = getegid(),
	};
	pid_t pid = (pid_t)syscall(SYS_clone, plan_flags(use, user) | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid < 0)
		return errno;
	if (pid == 0)
		_exit(sandbox_enter(&plan) ? errno & 0x7f : 0);
	int status = 0;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

/* Does a limit on processes count those in the user namespace alone, as since Linux 5.14? Here it would have to count us. */
static bool probe_own_count(void)
{
	struct rlimit two = {2, 2};
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0) {
		pid_t child = setrlimit(RLIMIT_NPROC, &two) ? -1 : (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
		_exit(child < 0);
	}
	int status = 1;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && status == 0;
}

static void probe_set(unsigned one, int error)
{
	if (error == 0)
		found.works |= one;
	found.why[__builtin_ctz(one)] = error;
}

static void probe_once(void)
{
	static const unsigned spaces[] = {SANDBOX_MOUNT, SANDBOX_PID, SANDBOX_NET};

	found.landlock_abi = fence_abi();
	probe_set(SANDBOX_LANDLOCK, found.landlock_abi > 0 ? 0 : errno);
	unsigned action = SECCOMP_RET_ERRNO;
	probe_set(SANDBOX_SECCOMP, syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) ? errno : 0);
	action = SECCOMP_RET_USER_NOTIF;
	found.notify = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
	found.user_namespace = probe_namespaces(SANDBOX_NET, false) != 0;
	found.own_count = found.user_namespace && geteuid() != 0 && probe_own_count();
	for (unsigned i = 0; i < 3; i++)
		probe_set(spaces[i], probe_namespaces(spaces[i], found.user_namespace));
	probe_set(SANDBOX_CAPS, 0);
}

const struct sandbox_report *sandbox_probe(void)
{
	pthread_once(&found_once, probe_once);
	return &found;
}

/* What the other mechanisms see to, so that the filter need not. */
static unsigned plan_guards(const struct sandbox_plan *plan)
{
	bool landlock = plan->use & SANDBOX_LANDLOCK;
	unsigned guards = 0;
	if (plan->use & SANDBOX_MOUNT)
		guards |= SYSCALLS_TREE | SYSCALLS_TRUNCATE;
	if (landlock && plan->landlock_abi >= 3)
		guards |= SYSCALLS_TRUNCATE;
	if (plan->use & SANDBOX_PID)
		guards |= SYSCALLS_SIGNALS | SYSCALLS_PROCESSES;
	if (landlock && plan->landlock_abi >= 6)
		guards |= SYSCALLS_SIGNALS;
	if (plan->use & SANDBOX_NET)
		guards |= SYSCALLS_IPC;
	if (plan->notify)
		guards |= SYSCALLS_FORKS;
	return guards;
}

static bool plan_check(const struct sandbox_plan *plan, struct err *err)
{
	const char *scratch = plan->policy.scratch, *also = plan->policy.also;
	struct stat st;
	if (!(plan->use & (SANDBOX_LANDLOCK | SANDBOX_MOUNT)) && !plan->policy.allow_none)
		return err_set(err, "no sandbox: neither Landlock nor mount namespaces can be used here");
	if (!scratch || scratch[0] != '/')
		return err_set(err, "the scratch directory must be an absolute path");
	if (stat(scratch, &st) || !S_ISDIR(st.st_mode))
		return err_set(err, "%s: no such scratch directory", scratch);
	if (also && (also[0] != '/' || stat(also, &st) || !S_ISDIR(st.st_mode)))
		return err_set(err, "%s: not the absolute path of a directory", also);
	return true;
}

bool sandbox_plan_new(struct sandbox_plan *plan, const struct sandbox_policy *policy, struct err *err)
{
	const struct sandbox_report *here = sandbox_probe();
	*plan = (struct sandbox_plan){.policy = *policy, .use = policy->use & here->works};
	plan->landlock_abi = here->landlock_abi;
	plan->user_namespace = here->user_namespace;
	plan->uid = geteuid();
	plan->gid = getegid();
	bool counted = here->own_count && (sandbox_clone_flags(plan) & CLONE_NEWUSER);
	plan->notify = here->notify && policy->limits.processes && (plan->use & SANDBOX_SECCOMP) && !counted;
	if (!plan_check(plan, err))
		return false;
	if (!(plan->use & SANDBOX_SECCOMP))
		return true;
	return syscalls_compile(plan_guards(plan), &plan->filter, &plan->filter_count, err);
}

void sandbox_plan_free(struct sandbox_plan *plan)
{
	free(plan->filter);
	plan->filter = NULL;
}

const char *sandbox_enter(const struct sandbox_plan *plan)
{
	unsigned use = plan->use;
	int flags = plan_flags(use, plan->user_namespace);
	if ((flags & CLONE_NEWUSER) && !view_map_ids(plan->uid, plan->gid))
		return "cannot map the user into a user namespace";
	if ((flags & CLONE_NEWNS) && !view_private())
		return "cannot make mounts private";
	for (size_t i = 0; (use & SANDBOX_MOUNT) && i < plan->policy.standins_count; i++)
		if (!view_cover(plan->policy.standins[i].path, plan->policy.standins[i].file))
			return "cannot put something else in a file's place";
	if ((use & SANDBOX_MOUNT) && plan->policy.work && !view_again(plan->policy.world, plan->policy.work, plan->policy.scratch))
		return "cannot show the directories around the working directory";
	if ((use & SANDBOX_MOUNT) && !view_read_only(&plan->policy))
		return "cannot make the file system read-only";
	if ((use & SANDBOX_PID) && !view_proc(use & SANDBOX_MOUNT && plan->policy.work ? plan->policy.world : NULL))
		return "cannot mount a fresh /proc";
	return NULL;
}

static bool limit_set(__rlimit_resource_t what, uint64_t soft, uint64_t hard)
{
	struct rlimit old, rl = {.rlim_cur = soft, .rlim_max = hard};
	if (getrlimit(what, &old))
		return false;
	if (rl.rlim_max > old.rlim_max)
		rl.rlim_max = old.rlim_max;
	if (rl.rlim_cur > rl.rlim_max)
		rl.rlim_cur = rl.rlim_max;
	return setrlimit(what, &rl) == 0;
}

static bool limits_set(const struct sandbox_plan *plan)
{
	const struct sandbox_limits *l = &plan->policy.limits;
	bool ok = limit_set(RLIMIT_CORE, 0, 0);
	if (l->cpu_s)
		ok &= limit_set(RLIMIT_CPU, l->cpu_s, l->cpu_s + 1);
	if (l->open_files)
		ok &= limit_set(RLIMIT_NOFILE, l->open_files, l->open_files);
	if (l->file_bytes)
		ok &= limit_set(RLIMIT_FSIZE, l->file_bytes, l->file_bytes);
	if (l->data_bytes)
		ok &= limit_set(RLIMIT_DATA, l->data_bytes, l->data_bytes);
	/* It exempts root, and outside of a user namespace it counts all of the user's processes: a makeshift there. In one is the warden too. */
	uint64_t processes = l->processes + (sandbox_clone_flags(plan) & CLONE_NEWUSER ? 1 : 0);
	if (l->processes && !plan->notify)
		ok &= limit_set(RLIMIT_NPROC, processes, processes);
	return ok;
}

static bool caps_drop(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2];

	memset(none, 0, sizeof none);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (unsigned long cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); /* fails without CAP_SETPCAP; no_new_privs says the same */
	return syscall(SYS_capset, &head, none) == 0;
}

const char *sandbox_confine(const struct sandbox_plan *plan, int *listener)
{
	*listener = -1;
	if (!limits_set(plan))
		return "cannot set limits";
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return "cannot set no_new_privs";
	bool own_tmp = plan->policy.private_tmp && (plan->use & SANDBOX_MOUNT);
	if ((plan->use & SANDBOX_LANDLOCK) && !fence_raise(plan->landlock_abi, plan->policy.scratch, plan->policy.also, own_tmp))
		return "cannot use Landlock";
	if ((plan->use & SANDBOX_CAPS) && !caps_drop())
		return "cannot drop capabilities";
	if (plan->filter && !syscalls_install(plan->filter, plan->filter_count, plan->notify, listener))
		return "cannot use seccomp";
	return NULL;
}
