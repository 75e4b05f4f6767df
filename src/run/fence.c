/* The Landlock part of the sandbox, by raw system calls: glibc has no wrappers and the headers of Debian 12
 * know only the first version, so the constants of later ones are repeated here.
 *
 * Only rights that change something are handled; reading and executing stay as they were. A kernel refuses
 * rights it does not know, so the set is cut down to its version. Not covered by any version: chmod, chown,
 * utime, extended attributes (syscalls.c), and connecting to a UNIX socket by its path (likewise).
 */
#include "run/fence.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	FS_WRITE = 1 << 1, FS_REMOVE_DIR = 1 << 4, FS_REMOVE_FILE = 1 << 5, FS_MAKE_CHAR = 1 << 6, FS_MAKE_DIR = 1 << 7,
	FS_MAKE_REG = 1 << 8, FS_MAKE_SOCK = 1 << 9, FS_MAKE_FIFO = 1 << 10, FS_MAKE_BLOCK = 1 << 11,
	FS_MAKE_SYM = 1 << 12,
	FS_REFER = 1 << 13,     /* version 2 */
	FS_TRUNCATE = 1 << 14,  /* 3 */
	FS_IOCTL_DEV = 1 << 15, /* 5 */
	NET_TCP = 3,            /* 4: bind, connect */
	SCOPE = 3               /* 6: abstract UNIX sockets, signals */
};

#define FS_FIRST (FS_WRITE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_CHAR | FS_MAKE_DIR | FS_MAKE_REG | \
	FS_MAKE_SOCK | FS_MAKE_FIFO | FS_MAKE_BLOCK | FS_MAKE_SYM)

struct ruleset_attr {
	uint64_t fs, net, scoped;
};

struct path_attr {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));

int fence_abi(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1u /* LANDLOCK_CREATE_RULESET_VERSION */);
}

static struct ruleset_attr handled(int abi)
{
	struct ruleset_attr a = {.fs = FS_FIRST};
	if (abi >= 2)
		a.fs |= FS_REFER;
	if (abi >= 3)
		a.fs |= FS_TRUNCATE;
	if (abi >= 4)
		a.net = NET_TCP;
	if (abi >= 5)
		a.fs |= FS_IOCTL_DEV;
	if (abi >= 6)
		a.scoped = SCOPE;
	return a;
}

static bool allow(int ruleset, const char *path, uint64_t rights)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return false;
	struct path_attr rule = {.allowed = rights, .parent_fd = fd};
	bool ok = syscall(SYS_landlock_add_rule, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0) == 0;
	close(fd);
	return ok;
}

static bool allow_devices(int ruleset, uint64_t rights)
{
	static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (access(devices[i], F_OK) == 0 && !allow(ruleset, devices[i], rights))
			return false;
	return true;
}

bool fence_raise(int abi, const char *scratch, const char *also, bool own_tmp)
{
	struct ruleset_attr attr = handled(abi);
	uint64_t inside = attr.fs & ~(uint64_t)(FS_MAKE_CHAR | FS_MAKE_BLOCK | FS_IOCTL_DEV);
	/* Older kernels take a longer structure as long as its tail is zero. */
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
	if (ruleset < 0)
		return false;
	bool ok = allow(ruleset, scratch, inside) && (!also || allow(ruleset, also, inside)) && (!own_tmp || allow(ruleset, "/tmp", inside)) &&
		allow_devices(ruleset, attr.fs & (FS_WRITE | FS_TRUNCATE | FS_IOCTL_DEV)) &&
		syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
	close(ruleset);
	return ok;
}
