/* Makes the world read-only around the scratch directory.
 *
 * The places that stay usable become mounts of their own first (a bind mount onto itself), then one
 * mount_setattr makes every mount read-only and without devices, then the exceptions are taken back.
 * Without devices, because a read-only mount does not protect /dev/sda: writing to a device node is not
 * writing to the file system it lies in. A fresh /proc is read-only too, since files below /proc/sys ask
 * for the user id and not for capabilities.
 */
#include "run/view.h"

#include "run/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const devices[] = {
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
};
#define DEVICES (sizeof devices / sizeof *devices)

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return ok;
}

bool view_map_ids(uid_t uid, gid_t gid)
{
	char users[40], groups[40];
	snprintf(users, sizeof users, "%u %u 1\n", uid, uid);
	snprintf(groups, sizeof groups, "%u %u 1\n", gid, gid);
	return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", users) && put("/proc/self/gid_map", groups);
}

bool view_private(void)
{
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool make_parents(const char *path)
{
	char part[PATH_MAX];
	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		if (p - path >= PATH_MAX)
			return false;
		memcpy(part, path, (size_t)(p - path));
		part[p - path] = '\0';
		if (mkdir(part, 0755) && errno != EEXIST)
			return false;
	}
	return true;
}

/* An empty /tmp, in which the scratch directory is again where it was. */
static bool hide_tmp(const char *scratch, int tree)
{
	if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=1777"))
		return false;
	if (strncmp(scratch, "/tmp/", 5) == 0 && (!make_parents(scratch) || (mkdir(scratch, 0700) && errno != EEXIST)))
		return false;
	return move_mount(tree, "", AT_FDCWD, scratch, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

static bool bind_scratch(const char *scratch, bool private_tmp)
{
	if (!private_tmp)
		return mount(scratch, scratch, NULL, MS_BIND, NULL) == 0;
	int tree = open_tree(AT_FDCWD, scratch, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
	bool ok = tree >= 0 && hide_tmp(scratch, tree);
	if (tree >= 0)
		close(tree);
	return ok;
}

static bool change(const char *path, unsigned flags, unsigned set, unsigned clear)
{
	struct mount_attr attr = {.attr_set = set, .attr_clr = clear};
	return mount_setattr(AT_FDCWD, path, flags, &attr, sizeof attr) == 0;
}

bool view_cover(const char *path, const char *file)
{
	return mount(file, path, NULL, MS_BIND, NULL) == 0;
}

/* Names that lead out of the working directory by "..", and only those, are looked up there. */
bool view_again(const char *world, const char *work, const char *scratch)
{
	return mount("/", world, NULL, MS_BIND | MS_REC, NULL) == 0 && mount(scratch, work, NULL, MS_BIND, NULL) == 0;
}

bool view_read_only(const struct sandbox_policy *policy)
{
	bool bound[DEVICES], private_tmp = policy->private_tmp;
	const char *also = policy->also;

	if ((also && mount(also, also, NULL, MS_BIND, NULL)) || !bind_scratch(policy->scratch, private_tmp))
		return false;
	for (size_t i = 0; i < DEVICES; i++)
		bound[i] = mount(devices[i], devices[i], NULL, MS_BIND, NULL) == 0;
	if (!change("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0))
		return false;
	for (size_t i = 0; i < DEVICES; i++)
		if (bound[i] && !change(devices[i], 0, 0, MOUNT_ATTR_NODEV))
			return false;
	if (private_tmp && !change("/tmp", 0, 0, MOUNT_ATTR_RDONLY))
		return false;
	return change(policy->scratch, 0, 0, MOUNT_ATTR_RDONLY) && (!policy->work || change(policy->work, 0, 0, MOUNT_ATTR_RDONLY)) && (!also || change(also, 0, 0, MOUNT_ATTR_RDONLY));
}

bool view_proc(const char *world)
{
	char path[PATH_MAX];
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
	if (world && (snprintf(path, sizeof path, "%s/proc", world) >= (int)sizeof path || mount("proc", path, "proc", flags, NULL)))
		return false;
	return mount("proc", "/proc", "proc", flags, NULL) == 0;
}
