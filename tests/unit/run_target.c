/* Single runs: what comes out is exactly what happened, and no program hangs or hurts the host. */
#include "run_common.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/* The programs that are run. */

static void nap(long ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&t, NULL);
}

static int do_exit(const char *a) { return atoi(a); }
static int do_raise(const char *a)
{
	signal(atoi(a), SIG_DFL); /* a sanitizer may have caught it */
	return raise(atoi(a));
}
static int do_abort(const char *a) { (void)a; abort(); }

static int do_cat(const char *a)
{
	char block[4096];
	(void)a;
	if (write(0, "x", 1) == 1) /* standard input is for reading */
		return 1;
	for (ssize_t n; (n = read(0, block, sizeof block)) > 0;)
		(void)!write(1, block, (size_t)n);
	return lseek(0, 0, SEEK_SET) == 0 ? 0 : 2;
}

static int do_flood(const char *a)
{
	char block[4096];
	memset(block, 'f', sizeof block);
	for (int i = atoi(a); i > 0; i--)
		(void)!write(i & 1 ? 1 : 2, block, sizeof block);
	return 0;
}

/* Ignores signals, closes everything, leaves a daemon behind that would touch a file after a while. */
static int do_hang(const char *a)
{
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	if (fork() == 0) {
		if (setsid() < 0 || fork() != 0)
			_exit(0);
		nap(700);
		_exit(open("late", O_CREAT | O_WRONLY, 0600));
	}
	(void)!write(1, "up", 2);
	for (int fd = 0; fd < 64; fd++)
		close(fd);
	while (*a == 'h')
		nap(1000);
	return 0;
}

static int do_forks(const char *a)
{
	int made = 0;
	for (int i = 0; i < atoi(a); i++) {
		pid_t pid = fork();
		if (pid == 0) {
			nap(5000);
			_exit(0);
		}
		made += pid > 0;
	}
	return made;
}

static void *thread_main(void *arg)
{
	nap(5000);
	return arg;
}

static int do_threads(const char *a)
{
	pthread_t t;
	int made = 0;
	for (int i = 0; i < atoi(a); i++)
		made += pthread_create(&t, NULL, thread_main, NULL) == 0;
	return made;
}

static int do_sequence(const char *a) /* many children, one at a time: no limit should mind */
{
	int made = 0;
	for (int i = 0; i < atoi(a); i++) {
		pid_t pid = fork();
		if (pid == 0)
			_exit(0);
		made += pid > 0 && waitpid(pid, NULL, 0) == pid;
	}
	return made;
}

static int do_spin(const char *a)
{
	for (volatile unsigned long i = 0; *a;)
		i = i + 1;
	return 0;
}

static int do_grow(const char *a)
{
	static char block[1 << 16];
	signal(SIGXFSZ, SIG_IGN);
	int fd = open("big", O_CREAT | O_WRONLY, 0600);
	for (int i = atoi(a); i > 0; i--)
		if (write(fd, block, sizeof block) != sizeof block)
			return errno == EFBIG ? 7 : 8;
	return 0;
}

static int do_eat(const char *a)
{
	for (int i = 0; i < atoi(a); i++) {
		char *volatile block = malloc(1 << 20);
		if (!block)
			return 7;
	}
	return 0;
}

static int do_look(const char *a)
{
	struct stat st;
	char cwd[PATH_MAX];
	struct rlimit core;
	for (int fd = 3; fd < 200; fd++)
		if (fd != atoi(a) && fcntl(fd, F_GETFD) >= 0)
			return 10;
	if (atoi(a) && (fstat(atoi(a), &st) || st.st_size != 5))
		return 11;
	if (!getcwd(cwd, sizeof cwd) || strcmp(cwd, getenv("HOME")) != 0 || strcmp(getenv("TZ"), "UTC") != 0)
		return 12;
	if (getrlimit(RLIMIT_CORE, &core) || core.rlim_cur)
		return 13;
	printf("%s %p\n", getenv("TANDEM") ? getenv("TANDEM") : "-", (void *)&st);
	fflush(stdout);
	return 0;
}

static int do_sleep(const char *a) /* in two processes, the second one in a session of its own */
{
	if (fork() == 0)
		setsid();
	nap(1000l * atoi(a));
	return 0;
}

static const struct { const char *name; int (*act)(const char *); } acts[] = {
	{"exit", do_exit}, {"raise", do_raise}, {"abort", do_abort}, {"cat", do_cat}, {"flood", do_flood}, {"hang", do_hang},
	{"forks", do_forks}, {"threads", do_threads}, {"sequence", do_sequence}, {"spin", do_spin}, {"grow", do_grow},
	{"eat", do_eat}, {"look", do_look}, {"sleep", do_sleep},
};

/* The tests. */

static struct scratch scratch;
static const char *words[4];

static struct outcome run(const struct target_spec *spec)
{
	struct outcome out;
	struct err err = {0};
	common_ok(target_run(spec, &out, &err), &err);
	return out;
}

static struct outcome run_act(const char *name, const char *argument)
{
	struct target_spec spec = common_spec(&scratch, words, name, argument);
	struct outcome out = run(&spec);
	outcome_free(&out);
	return out;
}

static void test_exit_codes(void **state)
{
	static const char *const codes[] = {"0", "1", "42", "127", "255"};
	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct outcome out = run_act("exit", codes[i]);
		assert_int_equal(out.kind, OUTCOME_EXIT);
		assert_int_equal(out.code, atoi(codes[i]));
	}
}

static void test_signals(void **state)
{
	static const unsigned uses[] = {SANDBOX_ALL, SANDBOX_ALL & ~(unsigned)SANDBOX_PID, SANDBOX_MOUNT | SANDBOX_SECCOMP};
	static const int signals[] = {SIGSEGV, SIGFPE, SIGTERM, SIGKILL};
	char number[12];
	(void)state;
	for (size_t u = 0; u < 3; u++) {
		struct target_spec spec = common_spec(&scratch, words, "abort", NULL);
		spec.policy.use = uses[u];
		assert_int_equal(run(&spec).signal, SIGABRT);
	}
	for (size_t i = 0; i < 4; i++) {
		snprintf(number, sizeof number, "%d", signals[i]);
		struct outcome out = run_act("raise", number);
		assert_int_equal(out.kind, OUTCOME_SIGNAL);
		assert_int_equal(out.signal, signals[i]);
	}
}

static void test_input(void **state)
{
	static char bytes[100000];
	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 7);
	struct target_spec spec = common_spec(&scratch, words, "cat", NULL);
	spec.input = bytes;
	spec.input_size = sizeof bytes;
	spec.output_max = 1 << 20;
	struct outcome out = run(&spec);
	assert_int_equal(out.code, 0);
	assert_int_equal(out.out.size, sizeof bytes);
	assert_memory_equal(out.out.bytes, bytes, sizeof bytes);
	assert_false(out.out.cut);
	outcome_free(&out);
}

static void test_flood_is_cut(void **state)
{
	(void)state;
	struct target_spec spec = common_spec(&scratch, words, "flood", "5000");
	spec.output_max = 10000;
	struct outcome out = run(&spec);
	assert_int_equal(out.kind, OUTCOME_EXIT);
	assert_int_equal(out.out.size, 10000);
	assert_int_equal(out.err.size, 10000);
	assert_true(out.out.cut && out.err.cut);
	outcome_free(&out);
	spec.output_max = 0;
	out = run(&spec);
	assert_int_equal(out.kind, OUTCOME_EXIT);
	assert_int_equal(out.out.size, 0);
}

static void test_endless_flood_times_out(void **state)
{
	(void)state;
	struct target_spec spec = common_spec(&scratch, words, "flood", "2000000000");
	spec.wall_ms = 100;
	spec.output_max = 100;
	struct outcome out = run(&spec);
	assert_int_equal(out.kind, OUTCOME_TIMEOUT);
	assert_in_range(out.wall_us, 100000, 1500000);
	outcome_free(&out);
}

/* With and without a pid namespace: whatever was started is dead when target_run returns. */
static void test_nothing_survives(void **state)
{
	static const unsigned uses[] = {SANDBOX_ALL, SANDBOX_ALL & ~(unsigned)SANDBOX_PID, SANDBOX_LANDLOCK, SANDBOX_MOUNT};
	(void)state;
	for (size_t i = 0; i < 8; i++) {
		bool hang = i & 1;
		struct target_spec spec = common_spec(&scratch, words, "hang", hang ? "h" : "-");
		spec.policy.use = uses[i / 2];
		spec.wall_ms = 150;
		struct outcome out = run(&spec);
		assert_int_equal(out.kind, hang ? OUTCOME_TIMEOUT : OUTCOME_EXIT);
		assert_int_equal(out.signal, hang ? SIGKILL : 0);
		assert_int_equal(out.out.size, 2);
		assert_in_range(out.wall_us, 0, 1500000);
		outcome_free(&out);
	}
	nap(800);
	assert_int_equal(faccessat(scratch.fd, "late", F_OK, 0), -1);
}

/* The host is killed in mid-run. All that is inside holds the pipe's writing end, so its end is theirs. */
static void test_host_dies(void **state)
{
	static const unsigned uses[] = {SANDBOX_ALL, SANDBOX_ALL & ~(unsigned)SANDBOX_PID};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		int ends[2];
		assert_int_equal(pipe(ends), 0);
		pid_t host = fork();
		if (host == 0) {
			struct target_spec spec = common_spec(&scratch, words, "sleep", "30");
			struct outcome out;
			spec.policy.use = uses[i];
			spec.wall_ms = 30000;
			spec.trace_fd = ends[1];
			_exit(target_run(&spec, &out, NULL));
		}
		close(ends[1]);
		nap(200);
		struct pollfd end = {.fd = ends[0], .events = POLLIN};
		assert_int_equal(poll(&end, 1, 0), 0); /* they run */
		kill(host, SIGKILL);
		waitpid(host, NULL, 0);
		assert_int_equal(poll(&end, 1, 3000), 1);
		close(ends[0]);
	}
}

static void test_process_limit(void **state)
{
	static const unsigned uses[] = {SANDBOX_ALL, SANDBOX_ALL & ~(unsigned)SANDBOX_PID};
	(void)state;
	if (!sandbox_probe()->notify)
		skip();
	for (size_t i = 0; i < 2; i++) {
		struct target_spec spec = common_spec(&scratch, words, "forks", "64");
		spec.policy.use = uses[i];
		spec.policy.limits.processes = 16;
		assert_int_equal(run(&spec).code, 15); /* and itself */
		words[2] = "threads";
		assert_int_equal(run(&spec).code, 15);
		words[2] = "sequence";
		assert_int_equal(run(&spec).code, 64);
	}
}

static void test_cpu_limit(void **state)
{
	(void)state;
	struct target_spec spec = common_spec(&scratch, words, "spin", "s");
	spec.policy.limits.cpu_s = 1;
	struct outcome out = run(&spec);
	assert_int_equal(out.kind, OUTCOME_TIMEOUT);
	assert_int_equal(out.signal, SIGXCPU);
	assert_in_range(out.cpu_us, 700000, 2100000); /* the kernel's limit counts ticks, rusage counts time */
}

static void test_file_and_data_limits(void **state)
{
	struct err err = {0};
	(void)state;
	struct target_spec spec = common_spec(&scratch, words, "grow", "64");
	spec.policy.limits.file_bytes = 1 << 20;
	assert_int_equal(run(&spec).code, 7);
	common_ok(scratch_reset(&scratch, &err), &err);
	assert_int_equal(run_act("grow", "64").code, 0);
	common_ok(scratch_reset(&scratch, &err), &err);
#if !__has_feature(address_sanitizer)
	spec = common_spec(&scratch, words, "eat", "200");
	spec.policy.limits.data_bytes = 64 << 20;
	assert_int_equal(run(&spec).code, 7);
	assert_int_equal(run_act("eat", "200").code, 0);
#endif
}

static void test_surroundings(void **state)
{
	char number[12], first[64];
	(void)state;
	int low = open("/dev/null", O_RDONLY), trace = memfd_create("trace", MFD_CLOEXEC);
	assert_int_equal(ftruncate(trace, 5), 0);
	snprintf(number, sizeof number, "%d", trace);
	struct target_spec spec = common_spec(&scratch, words, "look", number);
	spec.trace_fd = trace;
	struct outcome out = run(&spec);
	assert_int_equal(out.code, 0);
	assert_memory_equal(out.out.bytes, number, strlen(number));
	memcpy(first, out.out.bytes, out.out.size);
	size_t size = out.out.size;
	outcome_free(&out);
	out = run(&spec); /* addresses do not change between runs */
	assert_int_equal(out.out.size, size);
	assert_memory_equal(out.out.bytes, first, size);
	outcome_free(&out);
	close(trace);
	close(low);
	spec = common_spec(&scratch, words, "look", "");
	out = run(&spec);
	assert_int_equal(out.code, 0);
	assert_memory_equal(out.out.bytes, "- ", 2);
	outcome_free(&out);
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	int fd = openat(scratch.fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(fd, mode) == 0);
	close(fd);
}

static void test_start_errors(void **state)
{
	static const struct { const char *name, *text; } cases[] = {
		{"nothing", "No such file"}, {"plain", "not executable"}, {"garbage", "not a program"},
		{"orphan", "interpreter is missing"}, {"", "not a regular file"},
	};
	char path[PATH_MAX + 16];
	(void)state;
	make_file("plain", "x", 0644);
	make_file("garbage", "\177ELF garbage", 0755);
	make_file("orphan", "#!/no/such/interpreter\n", 0755);
	for (size_t i = 0; i < 5; i++) {
		struct target_spec spec = common_spec(&scratch, words, "exit", "0");
		struct outcome out;
		struct err err = {0};
		snprintf(path, sizeof path, "%s/%s", scratch.path, cases[i].name);
		spec.program = path;
		assert_false(target_run(&spec, &out, &err));
		assert_int_equal(out.kind, OUTCOME_FAILED_TO_START);
		assert_non_null(strstr(err.text, path));
		assert_non_null(strstr(err.text, cases[i].text));
	}
	struct err err = {0};
	common_ok(scratch_reset(&scratch, &err), &err);
}

static int set_up(void **state)
{
	(void)state;
	return !scratch_open(&scratch, NULL, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	return !scratch_close(&scratch, NULL);
}

int main(int argc, char **argv)
{
	common_init();
	for (size_t i = 0; argc == 4 && i < sizeof acts / sizeof *acts; i++)
		if (strcmp(argv[2], acts[i].name) == 0)
			_exit(acts[i].act(argv[3]));
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_codes), cmocka_unit_test(test_signals), cmocka_unit_test(test_input),
		cmocka_unit_test(test_flood_is_cut), cmocka_unit_test(test_endless_flood_times_out),
		cmocka_unit_test(test_nothing_survives), cmocka_unit_test(test_host_dies), cmocka_unit_test(test_process_limit),
		cmocka_unit_test(test_cpu_limit), cmocka_unit_test(test_file_and_data_limits),
		cmocka_unit_test(test_surroundings), cmocka_unit_test(test_start_errors),
		cmocka_unit_test(common_again_as_user),
	};
	return cmocka_run_group_tests_name("run_target", tests, set_up, tear_down);
}
