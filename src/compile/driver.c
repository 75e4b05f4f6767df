/* tandem-cc: the drop-in C compiler. It asks clang what it would do for the command line, replaces each compilation
 * of a C file by three steps (clang to raw bitcode; weave and optimise; clang's code generator) and runs the rest as it is. */
#include "compile/externals.h"
#include "compile/jobs.h"
#include "compile/options.h"
#include "compile/response.h"

#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CLANG "clang-19"
#define INCOMPLETE "Tandem is not completely installed"

enum { EXIT_INTERNAL = 6 };

struct driver {
	struct unit_options options;
	LIST(char *) weaver;     /* what the instrumenter is told */
	bool plain;              /* compile without instrumentation */
	bool linking_libraries;  /* add the runtime to a link */
	bool is_static;          /* nothing to export to */
	bool has_input;
	bool only_shown;         /* -###: what would be done */
	bool talkative;          /* -v */
	enum externals_told externals;
	char *missing;           /* the runtime is not where it should be */
	LIST(char *) user;       /* the command line without what is ours or left out */
	char *workshop;          /* a directory for all that is temporary, ours and clang's */
	const char *left_out;    /* first option that was ignored */
};

/* ---- temporary files ---- */

/* Clang names its own by TMPDIR, also those it makes while it plans. So whatever ends us or it, there is one place to clear. */
static bool open_workshop(struct driver *d, struct err *err)
{
	const char *parent = getenv("TMPDIR");
	d->workshop = memory_printf("%s/tandem-cc-XXXXXX", parent && *parent ? parent : "/tmp");
	if (!mkdtemp(d->workshop))
		return err_errno(err, "cannot make a temporary directory %s", d->workshop);
	setenv("TMPDIR", d->workshop, true);
	return true;
}

static void close_workshop(const struct driver *d)
{
	DIR *dir = opendir(d->workshop);
	for (struct dirent *e; dir && (e = readdir(dir));)
		unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(d->workshop);
}

/* Compilers allocate and free small blocks all the time. More of them kept at hand by glibc's allocator is about 5 % less time for a large file (median of nine interleaved pairs on a busy machine). */
static void choose_allocator(void)
{
	setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=60000:glibc.malloc.tcache_max=4096", false);
}

/* ---- command line ---- */

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_left_out(const char *argument)
{
	return starts(argument, "-flto") || starts(argument, "-fsanitize") || starts(argument, "-save-temps") ||
	       starts(argument, "--save-temps") || strcmp(argument, "-fwhole-program") == 0 || starts(argument, "-MJ");
}

/* What is linked here is no program that libc starts. A shared library uses the runtime of the program it is loaded into. */
static bool is_no_runtime(const char *argument)
{
	static const char *const list[] = {"-shared", "--shared", "-Wl,-shared", "-r", "-Wl,-r", "-Wl,--relocatable", "-nostdlib", "-nodefaultlibs", "-nolibc", "-nostartfiles"};
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		if (strcmp(argument, list[i]) == 0)
			return true;
	return false;
}

/* Options whose value is the next argument, which is no input file then. */
static bool takes_value(const char *argument)
{
	static const char *const list[] = {"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-MF", "-MJ", "-MT",
	                                   "-MQ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-mllvm", "-T", "-u", "-z", "-e", "-target", "-arch", "-B"};
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		if (strcmp(argument, list[i]) == 0)
			return true;
	return false;
}

static void read_arguments(struct driver *d, int argc, char **argv)
{
	d->linking_libraries = true;
	for (int i = 1; i < argc; i++) {
		char *a = argv[i];
		bool taken = options_take(&d->options, a);
		if (taken)
			list_push(&d->weaver, a);
		if (strcmp(a, "--tandem-externals") == 0)
			d->externals = EXTERNALS_FEW;
		else if (strcmp(a, "--tandem-externals=all") == 0)
			d->externals = EXTERNALS_ALL;
		else if (strcmp(a, "--tandem-plain") == 0)
			d->plain = true;
		else if (is_left_out(a))
			d->left_out = d->left_out ? d->left_out : a;
		else if (!(taken && starts(a, "--tandem-")) && (i == 1 || strcmp(argv[i - 1], "-MJ") != 0))
			list_push(&d->user, a);
		if (is_no_runtime(a))
			d->linking_libraries = false;
		d->only_shown |= strcmp(a, "-###") == 0;
		d->talkative |= strcmp(a, "-v") == 0;
		d->is_static |= strcmp(a, "-static") == 0 || strcmp(a, "-static-pie") == 0;
		bool value = i > 1 && takes_value(argv[i - 1]);
		d->has_input |= !value && (a[0] != '-' || a[1] == 0);
	}
}

/* Where the runtime is: ../lib/tandem beside the directory of this program. */
static char *library_directory(void)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0)
		return memory_printf("lib/tandem");
	self[n] = 0;
	return memory_printf("%s/../lib/tandem", dirname(self));
}

/* Semantics fixed in the front end, macros that turn library code into calls we have models for. */
static char *const fixed_flags[] = {
	"-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fwrapv", "-fno-strict-aliasing",
	"-fno-delete-null-pointer-checks", "-fno-finite-loops", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-D__NO_CTYPE",
	"-Wno-unused-command-line-argument",
};

/* Objects can be made without the runtime (its own models are), programs cannot. */
static void find_runtime(struct driver *d)
{
	static const char *const files[] = {"tandem-rt.o", "libtandem-models.a", "libtandem-fuzz.a"};
	for (size_t i = 0; i < sizeof files / sizeof files[0] && !d->missing; i++) {
		char *path = memory_printf("%s/%s", library_directory(), files[i]);
		if (access(path, R_OK) != 0)
			d->missing = path;
	}
}

static bool is_link(const struct job *job)
{
	const char *name = strrchr(job->argv[0], '/');
	name = name ? name + 1 : job->argv[0];
	return strcmp(name, "ld") == 0 || starts(name, "ld.") || starts(name, "lld");
}

enum plan_with { WITH_OUR_FLAGS = 1, WITH_RUNTIME = 2 };

static char **plan_command(const struct driver *d, enum plan_with with)
{
	LIST(char *) c = {0};
	list_push(&c, CLANG);
	list_push(&c, "-###");
	list_push(&c, "-fomit-frame-pointer");
	for (size_t i = 0; i < d->user.count; i++)
		list_push(&c, d->user.at[i]);
	for (size_t i = 0; i < sizeof fixed_flags / sizeof fixed_flags[0] && (with & WITH_OUR_FLAGS); i++)
		list_push(&c, fixed_flags[i]);
	if (with & WITH_OUR_FLAGS) { /* what other tools have in theirs, last of all */
		list_push(&c, "-idirafter");
		list_push(&c, memory_printf("%s/../../include", library_directory()));
	}
	if (with & WITH_OUR_FLAGS && !d->options.wraps)
		list_push(&c, "-fno-wrapv"); /* clang says then which operations are of signed numbers */
	if ((with & WITH_RUNTIME) && d->linking_libraries && !d->plain && !d->missing) {
		char *directory = library_directory();
		list_push(&c, "-x");
		list_push(&c, "none");
		list_push(&c, memory_printf("%s/tandem-rt.o", directory));
		/* All of them: woven code refers to models weakly, which draws nothing from an archive. */
		list_push(&c, "-Wl,--push-state,--whole-archive");
		list_push(&c, memory_printf("%s/libtandem-models.a", directory));
		list_push(&c, "-Wl,--pop-state");
		list_push(&c, memory_printf("%s/libtandem-fuzz.a", directory)); /* a main, for whoever has none */
		if (!d->is_static)
			list_push(&c, "-Wl,--export-dynamic-symbol=__td_*,--export-dynamic-symbol=tandem_*");
	}
	list_push(&c, NULL);
	return c.at;
}

/* ---- one compilation ---- */

static int find(const struct job *job, const char *argument)
{
	for (int i = 0; i < job->argc; i++)
		if (strcmp(job->argv[i], argument) == 0)
			return i;
	return -1;
}

static bool is_c_compilation(const struct job *job)
{
	if (job->argc < 4 || strcmp(job->argv[1], "-cc1") != 0 || (find(job, "-emit-obj") < 0 && find(job, "-S") < 0))
		return false;
	const char *language = job->argv[job->argc - 2];
	return strcmp(job->argv[job->argc - 3], "-x") == 0 && (strcmp(language, "c") == 0 || strcmp(language, "cpp-output") == 0);
}

static char **copy_arguments(const struct job *job)
{
	char **copy = memory_array((size_t)job->argc + 8, sizeof *copy);
	memcpy(copy, job->argv, (size_t)job->argc * sizeof *copy);
	return copy;
}

static char **front_command(const struct job *job, char *bitcode)
{
	char **c = copy_arguments(job);
	int action = find(job, "-emit-obj") >= 0 ? find(job, "-emit-obj") : find(job, "-S"), output = find(job, "-o");
	c[action] = "-emit-llvm-bc";
	c[output + 1] = bitcode;
	return c;
}

/* Options that speak of the source and not of the code: the second run reads bitcode. */
static int source_option_length(const char *a)
{
	static const char *const pairs[] = {"-dependency-file", "-MT", "-include", "-include-pch", "-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-internal-isystem", "-internal-externc-isystem"};
	static const char *const singles[] = {"-sys-header-deps", "-MP", "-MG", "-disable-O0-optnone"};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (strcmp(a, pairs[i]) == 0)
			return 2;
	for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++)
		if (strcmp(a, singles[i]) == 0)
			return 1;
	return 0;
}

static bool has_argument(const struct job *job, const char *prefix)
{
	for (int i = 0; i < job->argc; i++)
		if (starts(job->argv[i], prefix))
			return true;
	return false;
}

/* An analysis that takes 5 % of the time though traced code has no variables; an index of the symbolic sides' names, which clang
 * writes for LLDB alone: linkers put those of all files one after the other, which GDB says it does not understand; and a search of the register
 * allocator for the best place to spill, which takes 3 % in functions with blocks at every turn and makes no difference that one could measure. */
static const struct { const char *unless; char *option; } back_options[] = {
	{"-experimental-debug-variable-locations", "-experimental-debug-variable-locations=false"},
	{"-debugger-tuning=lldb", "-accel-tables=Disable"},
	{"-grow-region-complexity-budget", "-grow-region-complexity-budget=100"},
};

static char **back_command(const struct job *job, char *bitcode, bool optimised)
{
	char **c = memory_array((size_t)job->argc + 8 + 2 * sizeof back_options / sizeof back_options[0], sizeof *c);
	int n = 0;
	for (int i = 0; i < job->argc - 2; i++) {
		int skip = source_option_length(job->argv[i]);
		if (skip) {
			i += skip - 1;
			continue;
		}
		c[n++] = strcmp(job->argv[i], "-O0") == 0 ? "-O2" : job->argv[i];
	}
	n--; /* the "-x" before the language */
	c[n++] = "-w"; /* what there is to say about the source has been said; the rest would be about code of ours */
	c[n++] = "-O2";
	if (optimised)
		c[n++] = "-disable-llvm-passes";
	c[n++] = "-disable-llvm-verifier"; /* --tandem-verify looks at the same module before */
	for (size_t i = 0; i < sizeof back_options / sizeof back_options[0]; i++)
		if (!has_argument(job, back_options[i].unless)) {
			c[n++] = "-mllvm";
			c[n++] = back_options[i].option;
		}
	c[n++] = "-x";
	c[n++] = "ir";
	c[n++] = bitcode;
	return c;
}

static int weave_file(const struct driver *d, char *in, char *out, struct err *err)
{
	LIST(char *) c = {0};
	char *weaver = memory_printf("%s/tandem-weave", library_directory());
	if (access(weaver, X_OK) != 0) {
		err_set(err, "%s is missing: " INCOMPLETE, weaver);
		return EXIT_INTERNAL;
	}
	list_push(&c, weaver);
	list_push(&c, in);
	list_push(&c, out);
	for (size_t i = 0; i < d->weaver.count; i++)
		list_push(&c, d->weaver.at[i]);
	list_push(&c, NULL);
	int status = jobs_run(c.at, err);
	if (status > 128 && !jobs_interrupted())
		fprintf(stderr, "tandem-cc: internal error: the instrumenter ended with signal %d\n", status - 128);
	return status > 128 || status < 0 ? EXIT_INTERNAL : status;
}

static int run_compilation(struct driver *d, const struct job *job, struct err *err)
{
	char *raw = memory_printf("%s/raw.bc", d->workshop), *woven = memory_printf("%s/woven.bc", d->workshop);
	int status = jobs_run(front_command(job, raw), err);
	if (status == 0)
		status = d->plain ? 0 : weave_file(d, raw, woven, err);
	if (status == 0)
		status = jobs_run(back_command(job, d->plain ? raw : woven, !d->plain), err);
	return status;
}

/* ---- all jobs ---- */

static int run_jobs(struct driver *d, const struct jobs *jobs, struct err *err)
{
	int status = 0;
	for (size_t i = 0; i < jobs->list.count && status == 0 && !jobs_interrupted(); i++) {
		const struct job *job = &jobs->list.at[i];
		if (d->missing && d->linking_libraries && !d->plain && is_link(job)) {
			err_set(err, "%s is missing: " INCOMPLETE, d->missing);
			status = EXIT_INTERNAL;
			break;
		}
		status = is_c_compilation(job) ? run_compilation(d, job, err) : jobs_run(job->argv, err);
		int output = is_link(job) && status == 0 ? find(job, "-o") : -1;
		if (output >= 0)
			externals_tell(job->argv[output + 1], d->externals);
	}
	return status;
}

/* Clang itself, with what the user wrote: its messages, its exit status. */
static int run_clang(const struct driver *d, struct err *err)
{
	LIST(char *) c = {0};
	list_push(&c, CLANG);
	for (size_t i = 0; i < d->user.count; i++)
		list_push(&c, d->user.at[i]);
	list_push(&c, NULL);
	return jobs_run(c.at, err);
}

/* ---- the plan ---- */

static bool any_job(const struct jobs *jobs, bool (*is)(const struct job *))
{
	for (size_t i = 0; i < jobs->list.count; i++)
		if (is(&jobs->list.at[i]))
			return true;
	return false;
}

static bool has_pair(const struct job *job, const char *option, const char *value)
{
	int at = find(job, option);
	return at >= 0 && at + 1 < job->argc && starts(job->argv[at + 1], value);
}

/* Woven code and the runtime are for x86-64 alone. */
static bool is_for_other_machine(const struct job *job)
{
	if (is_link(job))
		return find(job, "-m") >= 0 && !has_pair(job, "-m", "elf_x86_64");
	int triple = find(job, "-triple");
	return triple >= 0 && (!has_pair(job, "-triple", "x86_64-") || strstr(job->argv[triple + 1], "x32"));
}

static bool is_header(const struct job *job)
{
	return find(job, "-emit-pch") >= 0;
}

/* A compilation that is none of ours: of C++, of LLVM's IR, or to it. */
static bool is_foreign(const struct job *job)
{
	if (job->argc < 4 || strcmp(job->argv[1], "-cc1") != 0 || is_c_compilation(job) || is_header(job))
		return false;
	return find(job, "-emit-obj") >= 0 || find(job, "-S") >= 0 || find(job, "-emit-llvm") >= 0 || find(job, "-emit-llvm-bc") >= 0;
}

/* Foreign compilations are done as they would be without us; only where their output goes has to be the same. */
static bool plan_foreign(const struct driver *d, struct jobs *jobs, struct err *err)
{
	struct jobs own = {0};
	if (!jobs_plan(&own, plan_command(d, WITH_RUNTIME), err))
		return false;
	for (size_t i = 0; i < jobs->list.count && own.list.count == jobs->list.count; i++) {
		struct job *job = &jobs->list.at[i], *theirs = &own.list.at[i];
		int from = find(job, "-o"), to = find(theirs, "-o");
		if (!is_foreign(job) || !is_foreign(theirs) || from < 0 || to < 0)
			continue;
		theirs->argv[to + 1] = job->argv[from + 1];
		*job = *theirs;
	}
	return true;
}

static bool plan(const struct driver *d, struct jobs *jobs, struct err *err)
{
	if (!jobs_plan(jobs, plan_command(d, WITH_OUR_FLAGS | WITH_RUNTIME), err))
		return false;
	if (jobs->failed || any_job(jobs, is_header)) { /* nothing was to be linked until we named more to link */
		*jobs = (struct jobs){0};
		return jobs_plan(jobs, plan_command(d, WITH_OUR_FLAGS), err);
	}
	return !any_job(jobs, is_foreign) || plan_foreign(d, jobs, err);
}

/* All of it for -v, else the warnings. */
static void print_plan(const struct driver *d, const struct jobs *jobs)
{
	for (const char *line = jobs->said, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		if (d->talkative || starts(line, CLANG ": warning:"))
			fwrite(line, 1, (size_t)(end - line), stderr);
	}
}

static int run_plan(struct driver *d, const struct jobs *jobs, struct err *err)
{
	if (d->left_out)
		fprintf(stderr, "tandem-cc: note: %s is left out\n", d->left_out);
	if (jobs->failed)
		return run_clang(d, err);
	if (any_job(jobs, is_for_other_machine)) {
		fprintf(stderr, "tandem-cc: note: not instrumented: only code for x86-64 is\n");
		return run_clang(d, err);
	}
	print_plan(d, jobs);
	return run_jobs(d, jobs, err);
}

static int plan_and_run(struct driver *d, struct err *err)
{
	struct jobs jobs = {0};
	if (!open_workshop(d, err))
		return -1;
	int status = plan(d, &jobs, err) ? run_plan(d, &jobs, err) : -1;
	close_workshop(d);
	return status;
}

static void obey_signal(void)
{
	if (!jobs_interrupted())
		return;
	signal(jobs_interrupted(), SIG_DFL);
	raise(jobs_interrupted());
}

int main(int argc, char **argv)
{
	struct driver d = {0};
	struct err err = {0};
	struct response words = {0};
	for (int i = 0; i < argc; i++)
		response_expand(&words, argv[i]);
	jobs_catch_signals();
	choose_allocator();
	read_arguments(&d, (int)words.words.count, words.words.at);
	find_runtime(&d);
	int status = !d.has_input || d.only_shown ? run_clang(&d, &err) : plan_and_run(&d, &err);
	obey_signal();
	if (err.text[0])
		fprintf(stderr, "tandem-cc: %s\n", err.text);
	return status < 0 ? EXIT_INTERNAL : status;
}
