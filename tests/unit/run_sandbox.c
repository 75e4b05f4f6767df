/* What each mechanism of the sandbox enforces: a table of attacks against a table of mechanisms. Every attack
 * is made on files, sockets and a process of this test's own, by a program in the sandbox, under all
 * mechanisms, all but one, each one alone, and none (which shows that the attack is real). */
#include "run_common.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static const char *outside; /* the attacker's target directory */
static int victim, port;

static int result(int r)
{
	return r < 0 ? errno : 0;
}

static const char *at(const char *name)
{
	static char path[2][PATH_MAX];
	static int turn;
	turn ^= 1;
	snprintf(path[turn], sizeof path[turn], "%s/%s", outside, name);
	return path[turn];
}

static int do_write(void) { return result(open(at("file"), O_WRONLY)); }
static int do_create(void) { return result(open(at("new"), O_WRONLY | O_CREAT, 0600)); }
static int do_mkdir(void) { return result(mkdir(at("newdir"), 0700)); }
static int do_symlink(void) { return result(symlink("x", at("newlink"))); }
static int do_truncate(void) { return result(truncate(at("file"), 0)); }
static int do_read_truncate(void) { return result(open(at("file"), O_RDONLY | O_TRUNC)); }
static int do_chmod(void) { return result(chmod(at("file"), 0640)); }
static int do_utime(void) { return result(utimensat(AT_FDCWD, at("file"), NULL, 0)); }
static int do_rename(void) { return result(rename(at("name"), at("moved"))); }
static int do_steal(void) { return result(rename(at("loot"), "stolen")); }
static int do_unlink(void) { return result(unlink(at("file"))); }
static int do_rmdir(void) { return result(rmdir(at("dir"))); }
static int do_kill(void) { return result(kill(victim, SIGCONT)); }
static int do_name(void)
{
	char name[256];
	return result(gethostname(name, sizeof name)) ? errno : result(sethostname(name, strlen(name)));
}

/* Opening is all that is tried here. A read-only mount alone does not stop it. */
static int do_device(void) { return result(open("/dev/kmsg", O_WRONLY)); }
static int do_sysctl(void) { return result(open("/proc/sys/kernel/hostname", O_WRONLY)); }

static int do_tcp(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	return fd < 0 ? errno : result(connect(fd, (struct sockaddr *)&to, sizeof to));
}

static int do_udp(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	return fd < 0 ? errno : result((int)sendto(fd, "", 1, 0, (struct sockaddr *)&to, sizeof to));
}

static int do_unix(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	snprintf(to.sun_path, sizeof to.sun_path, "%s", at("socket"));
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	return fd < 0 ? errno : result(connect(fd, (struct sockaddr *)&to, sizeof to));
}

static int do_inside(void) /* not an attack: must work always */
{
	int fd = open("mine", O_WRONLY | O_CREAT | O_EXCL, 0600), null = open("/dev/null", O_WRONLY | O_TRUNC);
	if (fd < 0 || null < 0 || write(fd, "x", 1) != 1 || mkdir("d", 0700) || rename("mine", "d/mine") ||
		open("d/mine", O_WRONLY | O_TRUNC) < 0 || unlink("d/mine") || rmdir("d"))
		return errno;
	return 0;
}

#define LL SANDBOX_LANDLOCK
#define SC SANDBOX_SECCOMP
#define MN SANDBOX_MOUNT

static const struct attack {
	const char *name;
	int (*act)(void);
	unsigned stopped_by; /* any of these is enough */
	int landlock;        /* the version from which on LL is */
	bool root;           /* others are refused anyway */
} attacks[] = { /* what removes a file comes after what needs it */
	{"inside", do_inside, 0, 0, false},
	{"write", do_write, LL | MN, 1, false},
	{"create", do_create, LL | MN, 1, false},
	{"mkdir", do_mkdir, LL | MN, 1, false},
	{"symlink", do_symlink, LL | MN, 1, false},
	{"chmod", do_chmod, SC | MN, 0, false},
	{"utime", do_utime, SC | MN, 0, false},
	{"tcp", do_tcp, LL | SC | SANDBOX_NET, 4, false},
	{"udp", do_udp, SC | SANDBOX_NET, 0, false},
	{"unix", do_unix, SC, 0, false},
	{"kill", do_kill, LL | SC | SANDBOX_PID, 6, false},
	{"name", do_name, SC | SANDBOX_CAPS, 0, true},
	{"device", do_device, LL | MN, 1, true},
	{"sysctl", do_sysctl, LL | MN | SANDBOX_PID, 1, true},
	{"truncate", do_truncate, LL | MN | SC, 1, false},
	{"read_truncate", do_read_truncate, LL | MN, 3, false},
	{"rmdir", do_rmdir, LL | MN, 1, false},
	{"steal", do_steal, LL | MN, 1, false},
	{"rename", do_rename, LL | MN, 1, false},
	{"unlink", do_unlink, LL | MN, 1, false},
};
#define ATTACKS (sizeof attacks / sizeof *attacks)

/* In the sandbox: makes all attacks and prints one errno each, 0 for success. */
static int attack_all(const char *where)
{
	char dir[256];
	if (sscanf(where, "%d %d %255s", &victim, &port, dir) != 3)
		return 1;
	outside = dir;
	for (size_t i = 0; i < ATTACKS; i++)
		dprintf(1, "%d\n", attacks[i].act());
	return 0;
}

/* The test's side. */

struct scene {
	struct scratch outer, scratch;
	int tcp, local;
	char where[PATH_MAX + 40];
};

static void touch(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, "precious", 8) == 8);
	close(fd);
}

static int listen_at(struct sockaddr *addr, socklen_t size)
{
	int fd = socket(addr->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0 && bind(fd, addr, size) == 0 && listen(fd, 64) == 0);
	return fd;
}

static int scene_open(void **state)
{
	static struct scene sc;
	struct err err = {0};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	socklen_t size = sizeof in;

	common_ok(scratch_open(&sc.outer, NULL, &err) && scratch_open(&sc.scratch, NULL, &err), &err);
	sc.tcp = listen_at((struct sockaddr *)&in, sizeof in);
	assert_int_equal(getsockname(sc.tcp, (struct sockaddr *)&in, &size), 0);
	snprintf(un.sun_path, sizeof un.sun_path, "%s/socket", sc.outer.path);
	sc.local = listen_at((struct sockaddr *)&un, sizeof un);
	victim = fork();
	if (victim == 0) {
		alarm(60);
		pause();
		_exit(0);
	}
	snprintf(sc.where, sizeof sc.where, "%d %d %s", victim, ntohs(in.sin_port), sc.outer.path);
	*state = &sc;
	return 0;
}

static int scene_close(void **state)
{
	struct scene *sc = *state;
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	close(sc->tcp);
	close(sc->local);
	bool one = scratch_close(&sc->outer, NULL), two = scratch_close(&sc->scratch, NULL);
	return !one || !two;
}

static void expect(const struct attack *a, unsigned use, long error)
{
	unsigned stop = a->stopped_by;
	if (sandbox_probe()->landlock_abi < a->landlock || !a->landlock)
		stop &= ~(unsigned)LL;
	bool must = use & stop & sandbox_probe()->works;
	bool may = a->root && geteuid() != 0;
	/* Where truncation is left to nobody else, seccomp sees to the second kind as well. */
	may |= a->act == do_read_truncate && (use & (SC | LL));
	if (must ? error != 0 : may || error == 0)
		return;
	print_error("%s under %#x: %s\n", a->name, use, error ? strerror((int)error) : "went through");
	fail();
}

static void attack_under(struct scene *sc, unsigned use)
{
	const char *words[4];
	struct outcome out;
	struct err err = {0};
	struct target_spec spec = common_spec(&sc->scratch, words, "attack", sc->where);

	spec.policy.use = use;
	spec.policy.allow_none = true;
	touch(sc->outer.fd, "file");
	touch(sc->outer.fd, "loot");
	touch(sc->outer.fd, "name");
	mkdirat(sc->outer.fd, "dir", 0700);
	unlinkat(sc->outer.fd, "newdir", AT_REMOVEDIR);
	unlinkat(sc->outer.fd, "newlink", 0);
	unlinkat(sc->outer.fd, "moved", 0);
	common_ok(target_run(&spec, &out, &err), &err);
	assert_int_equal(out.kind, OUTCOME_EXIT);
	assert_int_equal(out.code, 0);
	out.out.bytes[out.out.size - 1] = '\0';
	char *p = out.out.bytes;
	for (size_t i = 0; i < ATTACKS; i++)
		expect(&attacks[i], use, strtol(p, &p, 10));
	outcome_free(&out);
	common_ok(scratch_reset(&sc->scratch, &err), &err);
}

static void test_none(void **state) { attack_under(*state, 0); }
static void test_all(void **state) { attack_under(*state, SANDBOX_ALL); }

static void test_each_alone(void **state)
{
	attack_under(*state, LL);
	attack_under(*state, MN);
}

static void test_two_at_a_time(void **state)
{
	for (unsigned one = 1; one < SANDBOX_ALL; one <<= 1)
		if (one != LL && one != MN)
			attack_under(*state, LL | one);
	attack_under(*state, MN | SANDBOX_PID);
}

static void test_all_but_one(void **state)
{
	for (unsigned one = 1; one < SANDBOX_ALL; one <<= 1)
		attack_under(*state, SANDBOX_ALL & ~one);
	attack_under(*state, SC); /* lets files be written and removed, but stops all the rest */
}

static void test_refuses_without_protection(void **state)
{
	struct scene *sc = *state;
	struct sandbox_policy policy = sandbox_policy_default(sc->scratch.path);
	struct sandbox_plan plan;
	struct err err = {0};
	policy.use = SC | SANDBOX_PID;
	assert_false(sandbox_plan_new(&plan, &policy, &err));
	assert_non_null(strstr(err.text, "no sandbox"));
}

static void test_private_tmp(void **state)
{
	struct scene *sc = *state;
	const char *const words[] = {"sh", "-c", "echo x > /tmp/probe-$$ && ls -A /tmp | wc -l && pwd && echo y > z"};
	struct target_spec spec = {.program = "/bin/sh", .argv = words, .argc = 3, .output_max = 1000, .trace_fd = -1};
	struct outcome out;
	struct err err = {0};
	if (!(sandbox_probe()->works & MN))
		skip();
	spec.policy = sandbox_policy_default(sc->scratch.path);
	spec.policy.private_tmp = true;
	common_ok(target_run(&spec, &out, &err), &err);
	assert_int_equal(out.code, 0);
	assert_memory_equal(out.out.bytes, "2\n", 2); /* the file and the way to the scratch directory */
	outcome_free(&out);
	assert_true(scratch_dirty(&sc->scratch));
}

/* One more place to write to, and no other beside it. */
static void test_also(void **state)
{
	struct scene *sc = *state;
	char also[] = "/tmp/tandem-also-XXXXXX", beside[64];
	assert_non_null(mkdtemp(also));
	snprintf(beside, sizeof beside, "%s.beside", also);
	const char *const words[] = {"sh", "-c", "echo x > $0/file && echo y > here && ! echo z > $0.beside", also};
	const unsigned uses[] = {SANDBOX_ALL, SANDBOX_ALL & ~(unsigned)SANDBOX_LANDLOCK, SANDBOX_ALL & ~(unsigned)SANDBOX_MOUNT};
	for (size_t i = 0; i < 3; i++) {
		struct target_spec spec = {.program = "/bin/sh", .argv = words, .argc = 4, .output_max = 1000, .trace_fd = -1};
		struct outcome out;
		struct err err = {0};
		if (!(sandbox_probe()->works & uses[i] & (SANDBOX_LANDLOCK | MN)))
			continue;
		spec.policy = sandbox_policy_default(sc->scratch.path);
		spec.policy.use = uses[i];
		spec.policy.also = also;
		common_ok(target_run(&spec, &out, &err), &err);
		assert_int_equal(out.kind, OUTCOME_EXIT);
		assert_int_equal(out.code, 0);
		outcome_free(&out);
		assert_int_not_equal(access(beside, F_OK), 0);
		char file[64];
		snprintf(file, sizeof file, "%s/file", also);
		assert_int_equal(unlink(file), 0);
	}
	assert_int_equal(rmdir(also), 0);
}

static void test_probe_reports(void **state)
{
	(void)state;
	const struct sandbox_report *r = sandbox_probe();
	for (unsigned one = 1; one < SANDBOX_ALL; one <<= 1)
		print_message("%s: %s\n", r->works & one ? "works" : strerror(r->why[__builtin_ctz(one)]),
			sandbox_text((enum sandbox_mechanism)one));
	assert_true(r->works & SANDBOX_CAPS);
}

int main(int argc, char **argv)
{
	common_init();
	if (argc == 4)
		_exit(attack_all(argv[3]));
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_probe_reports), cmocka_unit_test(test_none), cmocka_unit_test(test_all),
		cmocka_unit_test(test_each_alone), cmocka_unit_test(test_two_at_a_time),
		cmocka_unit_test(test_all_but_one), cmocka_unit_test(test_refuses_without_protection),
		cmocka_unit_test(test_private_tmp), cmocka_unit_test(test_also), cmocka_unit_test(common_again_as_user),
	};
	return cmocka_run_group_tests_name("run_sandbox", tests, scene_open, scene_close);
}
