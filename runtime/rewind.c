/* Putting the process back to how it was when the run began.
 *
 * A fork costs more than most runs: page tables are copied and thrown away, and each page that the child touches is a fault. So a child of the
 * fork server remembers, before it runs the program, everything the program can change; when the program ends, everything is put back.
 *
 * Memory: all private writable mappings. Pages that had something in them are compared with a copy; others that are now there are made zero, or
 * given back if they are many. What the runtime has mapped stays for the next run (pages.c).
 *
 * The rest of a process is the kernel's, and a list of what a program can change there would never be complete. So it is the other way round: only what is known to be
 * harmless (harmless.c) can be done at all: what changes nothing, or what is put back here (descriptors, the current directory, signal handlers and masks, the break, the file mode
 * mask), or what a forked child would leave behind as well (files). All else kills the process with SIGSYS before it is done; then the server says that this run has to be had in a
 * process of its own.
 *
 * The end of a run is the system call exit_group itself, whoever makes it: the filter turns it into a signal. So destructors, exit handlers
 * and buffers have had their turn. The handler leaves the program's stack, which is memory like any other, for one in the vault.
 * The vault is what is not put back.
 *
 * Not put back: the processor time used so far, which a run cannot ask for; what the kernel has written to the thread's rseq area, so that sched_getcpu
 * may tell of an earlier processor. */
#include "rewind.h"

#include "contract/server.h"
#include "harmless.h"
#include "pages.h"
#include "system.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <ucontext.h>

#define SYS_SECCOMP_CODE 1 /* why the signal came */
#define RESTORER 0x04000000ul

enum { PAGE = 4096, AREAS = 96, SIGNALS = 64, STREAMS = 3, STACK_SIZE = 1 << 15, MAPS_SIZE = 1 << 15 };
enum { DEPTH = 1 << 18 };  /* of the program's stack, that is put back; a run that needs more is the last one of its process */
enum { SPARE = 512 };      /* pages that were zero and stay mapped; so do as many of what the runtime has made */
enum { MOST_PAGES = 1 << 18, MOST_COPIES = 1 << 14 };
enum { RUNS = 2000 };      /* of one process: what we do not know of shall not add up */

struct area {
	uint64_t start, pages;
	uint8_t *resident;
	uint32_t *copy;     /* of each page: its number plus one; 0: it was zero. NULL: all were */
	bool file;          /* pages given back would not be zero */
};

struct stream {
	int kept;           /* another descriptor for the same; -1: it was closed */
	uint64_t device, inode;
};

struct vault {
	void *frame[5];     /* where a run begins */
	int32_t processor;
	void (*stay_on)(int32_t);
	unsigned runs;
	struct area areas[AREAS];
	unsigned areas_count;
	uint64_t stack_end; /* of the program's: lowest address */
	uint8_t (*copies)[PAGE];
	struct pages_ledger ledger;
	uint8_t resident[SPARE];
	struct system_action actions[SIGNALS + 1];
	uint64_t mask;
	stack_t alternate;
	uint64_t end_of_data;
	long file_mask;
	struct stream streams[STREAMS], socket, directory;
	int first_kept;     /* descriptor; what is below is the program's */
	uint64_t gs;
	uint32_t mxcsr;
	uint16_t control;   /* of the old floating-point unit */
	long pagemap;       /* /proc/self/pagemap, while memory is looked at */
	_Alignas(8) char maps[MAPS_SIZE];
	_Alignas(64) char stack[STACK_SIZE];
};

static struct vault *vault;

/* ---- pages: no library functions, which may be the program's ---- */

static bool same(const uint8_t *a, const uint8_t *b)
{
	const uint64_t *x = (const void *)a, *y = (const void *)b;
	for (unsigned i = 0; i < PAGE / 8; i += 8) {
		uint64_t difference = 0;
		for (unsigned k = 0; k < 8; k++)
			difference |= x[i + k] ^ y[i + k];
		if (difference)
			return false;
	}
	return true;
}

static bool is_zero(const uint8_t *a)
{
	const uint64_t *x = (const void *)a;
	for (unsigned i = 0; i < PAGE / 8; i += 8) {
		uint64_t any = 0;
		for (unsigned k = 0; k < 8; k++)
			any |= x[i + k];
		if (any)
			return false;
	}
	return true;
}

static void copy_page(uint8_t *to, const uint8_t *from)
{
	uint64_t n = PAGE / 8;
	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void clear_page(uint8_t *to)
{
	uint64_t n = PAGE / 8;
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(0ull) : "memory");
}

/* ---- memory, before ---- */

static uint64_t number(const char **at, unsigned base)
{
	uint64_t n = 0;
	for (;; ++*at) {
		unsigned digit = **at >= 'a' && **at <= 'f' ? (unsigned)(**at - 'a' + 10) : (unsigned)(**at - '0');
		if (digit >= base)
			return n;
		n = n * base + digit;
	}
}

static void to_next(const char **at, char end)
{
	while (**at && **at != end)
		++*at;
	*at += **at != 0;
}

static bool is_trace(uint64_t start)
{
	uint64_t header = (uint64_t)td_state.header;
	return start >= header && start < header + td_state.header->size;
}

/* A line of /proc/self/maps: from-to rwxp offset device inode name. */
static bool add_area(struct vault *v, const char *line)
{
	uint64_t start = number(&line, 16);
	line++;
	uint64_t end = number(&line, 16);
	bool written = line[2] == 'w', shared = line[4] == 's', inside = start < (uint64_t)(v + 1) && end > (uint64_t)v;
	if (!written || inside || (shared && is_trace(start)))
		return true;
	if (shared || v->areas_count == AREAS)
		return false;
	line += 6;
	to_next(&line, ' ');
	to_next(&line, ' ');
	uint64_t here = (uint64_t)&start;
	if (here >= start && here < end)
		v->stack_end = start;
	v->areas[v->areas_count++] = (struct area){.start = start, .pages = (end - start) / PAGE, .file = number(&line, 10)};
	return true;
}

static long open_own(const char *path)
{
	return pages_call(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0);
}

static bool read_maps(struct vault *v)
{
	long fd = open_own("/proc/self/maps"), n, used = 0;
	if (fd < 0)
		return false;
	while ((n = pages_call(SYS_read, fd, (long)(v->maps + used), MAPS_SIZE - 1 - used, 0)) > 0)
		used += n;
	pages_call(SYS_close, fd, 0, 0, 0);
	return n == 0 && used < MAPS_SIZE - 1;
}

/* false: there is none. */
static bool limit_of(int resource, uint64_t *value)
{
	struct rlimit limit = {0, 0};
	pages_call(SYS_prlimit64, 0, resource, 0, (long)&limit);
	*value = limit.rlim_cur;
	return limit.rlim_cur != RLIM_INFINITY;
}

static bool find_areas(struct vault *v)
{
	uint64_t most;
	if (limit_of(RLIMIT_STACK, &most) && most < 4 * DEPTH)
		return false;
	volatile char *deep = (volatile char *)__builtin_frame_address(0) - DEPTH;
	*deep = 0; /* the stack's mapping is that long from now on */
	if (!read_maps(v))
		return false;
	for (const char *line = v->maps; *line; to_next(&line, '\n'))
		if (!add_area(v, line))
			return false;
	return v->stack_end;
}

/* Which pages are there, or swapped out: mincore would not tell of those. */
static bool ask(struct vault *v, const struct area *a)
{
	enum { PRESENT_OR_SWAPPED = 62, CHUNK = sizeof v->maps / sizeof(uint64_t) };
	const uint64_t *told = (const void *)v->maps;
	bool ok = true;
	for (uint64_t i = 0; ok && i < a->pages; i += CHUNK) {
		uint64_t n = a->pages - i < CHUNK ? a->pages - i : CHUNK;
		long bytes = (long)(n * sizeof *told);
		ok = pages_call(SYS_pread64, v->pagemap, (long)v->maps, bytes, (long)((a->start / PAGE + i) * sizeof *told)) == bytes;
		for (uint64_t k = 0; ok && k < n; k++)
			a->resident[i + k] = told[k] >> PRESENT_OR_SWAPPED != 0;
	}
	return ok;
}

static uint8_t *page_of(const struct area *a, uint64_t i)
{
	return (uint8_t *)(a->start + i * PAGE);
}

static bool has_content(const struct area *a, uint64_t i)
{
	return a->file || (a->resident[i] && !is_zero(page_of(a, i)));
}

/* A mapping may be longer than its file. */
static bool is_whole(const struct area *a)
{
	for (uint64_t i = 0; i < a->pages && a->file; i++)
		if (!state_readable((uint64_t)page_of(a, i)))
			return false;
	return true;
}

/* Between two pages that cannot be used: a mapping of its own, and out of reach of the program's overruns. */
static void *map_apart(uint64_t bytes)
{
	uint64_t size = (bytes + PAGE - 1) / PAGE * PAGE;
	char *room = pages_map(0, size + 2 * PAGE, PROT_NONE);
	return room && pages_open(room + PAGE, size) ? room + PAGE : NULL;
}

/* Which pages have something in them, and how many those are. */
static bool count_pages(struct vault *v, uint64_t *count)
{
	uint64_t pages = 0, n = 0;
	for (unsigned i = 0; i < v->areas_count; i++)
		pages += v->areas[i].pages;
	if (pages > MOST_PAGES)
		return false;
	char *room = map_apart(pages * (sizeof(uint32_t) + 1));
	if (!room)
		return false;
	uint8_t *bytes = (uint8_t *)room + pages * sizeof(uint32_t);
	v->pagemap = open_own("/proc/self/pagemap");
	bool ok = true;
	for (struct area *a = v->areas; ok && a < v->areas + v->areas_count; a++) {
		a->copy = (uint32_t *)(void *)room;
		a->resident = bytes;
		room += a->pages * sizeof(uint32_t);
		bytes += a->pages;
		ok = ask(v, a) && is_whole(a);
		for (uint64_t i = 0; ok && i < a->pages; i++)
			if (has_content(a, i))
				a->copy[i] = (uint32_t)++n;
	}
	pages_call(SYS_close, v->pagemap, 0, 0, 0);
	*count = n;
	return ok && n <= MOST_COPIES;
}

static void copy_pages(struct vault *v)
{
	for (const struct area *a = v->areas; a < v->areas + v->areas_count; a++)
		for (uint64_t i = 0; i < a->pages; i++)
			if (a->copy[i])
				copy_page(v->copies[a->copy[i] - 1], page_of(a, i));
}

/* ---- memory, after ---- */

static void give_back(const struct area *a, uint64_t from, uint64_t to)
{
	if (to > from)
		pages_empty((void *)(a->start + from * PAGE), (to - from) * PAGE);
}

/* A page that was zero. They stay mapped if they are not too many. */
static bool is_wanted(const struct area *a, uint64_t i, unsigned *spare)
{
	if (++*spare > SPARE)
		return false;
	if (!is_zero(page_of(a, i)))
		clear_page(page_of(a, i));
	return true;
}

static void put_back(const struct vault *v, const struct area *a, unsigned *spare)
{
	uint64_t from = 0, to = 0; /* not wanted */
	for (uint64_t i = 0; i < a->pages; i++) {
		uint32_t copy = a->copy ? a->copy[i] : 0;
		if (!copy && !(a->resident[i]))
			continue;
		if (!copy && !is_wanted(a, i, spare)) {
			from = to > from ? from : i;
			to = i + 1;
			continue;
		}
		give_back(a, from, to);
		to = from;
		if (copy && !same(page_of(a, i), v->copies[copy - 1]))
			copy_page(page_of(a, i), v->copies[copy - 1]);
	}
	give_back(a, from, to);
}

/* The page below the program's stack is not mapped. */
static bool is_stack_as_it_was(const struct vault *v)
{
	uint8_t resident;
	return pages_call(SYS_mincore, (long)(v->stack_end - PAGE), PAGE, (long)&resident, 0) != 0;
}

/* What the runtime has made is kept, as if it had never been used. */
static bool ledger_undo(struct vault *v, unsigned *spare)
{
	if (!pages_settle(&v->ledger, SPARE * PAGE))
		return false;
	for (const struct pages_change *c = v->ledger.changes; c < v->ledger.changes + v->ledger.count; c++) {
		const struct area a = {.start = c->start, .pages = (c->end - c->start) / PAGE, .resident = v->resident};
		if (!ask(v, &a))
			return false;
		put_back(v, &a, spare);
	}
	v->ledger.count = 0;
	return true;
}

static bool areas_undo(struct vault *v)
{
	unsigned spare = 0;
	if (!ledger_undo(v, &spare) || !is_stack_as_it_was(v) || (uint64_t)pages_call(SYS_brk, (long)v->end_of_data, 0, 0, 0) != v->end_of_data)
		return false;
	for (const struct area *a = v->areas; a < v->areas + v->areas_count; a++)
		if (!ask(v, a))
			return false;
	for (const struct area *a = v->areas; a < v->areas + v->areas_count; a++)
		put_back(v, a, &spare);
	return true;
}

static bool memory_undo(struct vault *v)
{
	v->pagemap = open_own("/proc/self/pagemap");
	bool ok = areas_undo(v);
	pages_call(SYS_close, v->pagemap, 0, 0, 0);
	return ok;
}

/* ---- descriptors ---- */

static void identify(int fd, struct stream *s)
{
	struct stat st = {0};
	pages_call(SYS_fstat, fd, (long)&st, 0, 0);
	s->device = st.st_dev;
	s->inode = st.st_ino;
}

static bool keep(const struct vault *v, int fd, struct stream *s)
{
	s->kept = (int)pages_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, v->first_kept, 0);
	identify(fd, s);
	return s->kept >= 0;
}

static bool directory_keep(struct vault *v)
{
	long fd = pages_call(SYS_open, (long)".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0);
	bool ok = fd >= 0 && keep(v, (int)fd, &v->directory);
	pages_call(SYS_close, fd, 0, 0, 0);
	return ok;
}

/* Others than these would be closed. */
static bool has_others(const struct vault *v, int socket)
{
	for (int i = STREAMS; i < v->first_kept; i++)
		if (i != socket && pages_call(SYS_fcntl, i, F_GETFD, 0, 0) >= 0)
			return true;
	return false;
}

static bool is_kept(const struct stream *s)
{
	struct stream now;
	identify(s->kept, &now);
	return now.device == s->device && now.inode == s->inode;
}

/* Beyond what the program may have. */
static bool streams_keep(struct vault *v, int socket)
{
	v->first_kept = (int)td_state.header->open_files;
	if (!v->first_kept || has_others(v, socket))
		return false;
	for (int i = 0; i < STREAMS; i++)
		keep(v, i, &v->streams[i]);
	return keep(v, socket, &v->socket) && directory_keep(v);
}

static bool stream_undo(const struct stream *s, int fd)
{
	if (s->kept < 0) {
		pages_call(SYS_close, fd, 0, 0, 0);
		return true;
	}
	return is_kept(s) && pages_call(SYS_dup2, s->kept, fd, 0, 0) == fd;
}

static bool streams_undo(const struct vault *v)
{
	bool ok = pages_call(SYS_close_range, STREAMS, v->first_kept - 1, 0, 0) == 0 && is_kept(&v->socket);
	for (int i = 0; i < STREAMS; i++)
		ok &= stream_undo(&v->streams[i], i);
	return ok && is_kept(&v->directory) && pages_call(SYS_fchdir, v->directory.kept, 0, 0, 0) == 0;
}

/* ---- signals, and what else there is ---- */

static long file_mask(long mask)
{
	return pages_call(SYS_umask, mask, 0, 0, 0);
}

static void rest_keep(struct vault *v)
{
	for (int i = 1; i <= SIGNALS; i++)
		pages_call(SYS_rt_sigaction, i, 0, (long)&v->actions[i], sizeof v->mask);
	pages_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&v->mask, sizeof v->mask);
	pages_call(SYS_sigaltstack, 0, (long)&v->alternate, 0, 0);
	v->end_of_data = (uint64_t)pages_call(SYS_brk, 0, 0, 0, 0);
	pages_call(SYS_arch_prctl, ARCH_GET_GS, (long)&v->gs, 0, 0);
	v->file_mask = file_mask(077);
	file_mask(v->file_mask);
	__asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(v->mxcsr), "=m"(v->control));
}

/* A signal that waits to be let in would come to the next run. */
static bool rest_undo(const struct vault *v)
{
	uint64_t waiting = 0;
	bool ok = true;
	for (int i = 1; i <= SIGNALS; i++)
		ok &= i == SIGKILL || i == SIGSTOP || pages_call(SYS_rt_sigaction, i, (long)&v->actions[i], 0, sizeof v->mask) == 0;
	pages_call(SYS_rt_sigpending, (long)&waiting, sizeof waiting, 0, 0);
	ok &= pages_call(SYS_sigaltstack, (long)&v->alternate, 0, 0, 0) == 0 && pages_call(SYS_arch_prctl, ARCH_SET_GS, (long)v->gs, 0, 0) == 0;
	file_mask(v->file_mask);
	__asm__ volatile("ldmxcsr %0\n\tfldcw %1\n\tcld" : : "m"(v->mxcsr), "m"(v->control));
	return ok && !waiting && pages_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&v->mask, 0, sizeof v->mask) == 0;
}

/* ---- the end of a run ---- */

static void quit(long code)
{
	pages_call(SYS_exit_group, code, 0, 0, 0);
	__builtin_trap();
}

/* On the vault's stack, for good. */
__attribute__((noreturn)) static void go_to(void (*where)(long), long argument)
{
	char *top = vault->stack + STACK_SIZE;
	__asm__ volatile("mov %0, %%rsp\n\tpush $0x202\n\tpopfq\n\txor %%ebp, %%ebp\n\tcall *%1" : : "r"(top), "r"(where), "D"(argument) : "memory");
	__builtin_unreachable();
}

static void await(struct vault *v)
{
	struct td_message m;
	long n;
	v->stay_on(v->processor);
	do
		n = pages_call(SYS_read, v->socket.kept, (long)&m, sizeof m, 0);
	while (n == -EINTR);
	if (n != sizeof m || m.kind != TD_MSG_RUN)
		quit(0);
	v->processor = m.value;
	v->stay_on(0);
}

static void ended(long code)
{
	struct vault *v = vault;
	struct td_message m = {.kind = TD_MSG_ENDED, .value = (int32_t)code};
	if (++v->runs == RUNS || !rest_undo(v) || !streams_undo(v) || !memory_undo(v))
		quit(code);
	if (pages_call(SYS_write, v->socket.kept, (long)&m, sizeof m, 0) != sizeof m)
		quit(code);
	await(v);
	__builtin_longjmp(v->frame, 1);
}

static void trapped(int signal, const siginfo_t *info, const ucontext_t *context)
{
	bool is_end = info->si_code == SYS_SECCOMP_CODE && (info->si_syscall == SYS_exit_group || info->si_syscall == SYS_exit);
	if (!is_end)
		system_raise_default(signal);
	long code = context->uc_mcontext.gregs[REG_RDI] & 255;
	go_to(ended, code);
}

/* ---- the beginning ---- */

/* Only the last step of all cannot be taken back. */
static bool guard(void)
{
	const struct system_action ordinary = {0}, action = {.handler = (void *)trapped, .flags = SA_SIGINFO | SA_NODEFER | RESTORER, .restorer = (void *)trapped};
	pages_call(SYS_rt_sigaction, SIGSYS, (long)&action, 0, sizeof action.mask);
	if (harmless_only())
		return true;
	pages_call(SYS_rt_sigaction, SIGSYS, (long)&ordinary, 0, sizeof action.mask);
	return false;
}

/* The first run is like any other, also in what is on its stack by chance. */
static void start(long unused)
{
	(void)unused;
	if (!memory_undo(vault))
		system_raise_default(SIGSYS); /* which nobody may touch */
	__builtin_longjmp(vault->frame, 1);
}

static bool keep_all(struct vault *v, int socket)
{
	uint64_t count = 0, cpu;
	if (!find_areas(v) || !count_pages(v, &count) || !(v->copies = map_apart(count * PAGE)))
		return false;
	return streams_keep(v, socket) && !limit_of(RLIMIT_CPU, &cpu) && guard();
}

__attribute__((noinline)) bool rewind_begin(int socket, int32_t processor, void (*stay_on)(int32_t processor))
{
	struct vault *v = vault = map_apart(sizeof *v);
	if (!v)
		return false;
	pages_watch(&v->ledger); /* pages that are not zero when they are counted will have copies */
	module_seal();
	if (!keep_all(v, socket)) {
		pages_watch(NULL);
		if (v->first_kept)
			pages_call(SYS_close_range, v->first_kept, ~0u, 0, 0);
		return false;
	}
	pages_call(SYS_close, socket, 0, 0, 0);
	v->processor = processor;
	v->stay_on = stay_on;
	rest_keep(v);
	v->ledger.count = v->ledger.made = 0;
	if (!__builtin_setjmp(v->frame)) {
		copy_pages(v);
		go_to(start, 0);
	}
	return true;
}
