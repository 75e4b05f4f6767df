/* Inputs: which bytes of the program are symbolic from the start. An input is an object (standard input, an argument, a marked
 * variable) and an offset in it. */
#include "object.h"

#include "tandem.h"

#include <bits/types/struct_FILE.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { UNSET = 64, FIRST_UNSET = 0x81, MOST_UNSET = 1 << 16 };

static int stdin_object = -1;

static void copy_name(char *to, const char *from)
{
	unsigned i = 0;
	for (; from[i] && i + 1 < TD_NAME_SIZE; i++)
		to[i] = from[i];
	to[i] = 0;
}

static int object_new(enum td_input_kind kind, uint32_t index, const char *name)
{
	struct td_header *h = td_state.header;
	if (h->inputs >= TD_MAX_INPUTS)
		return -1;
	struct td_input *in = &td_state.inputs[h->inputs];
	in->kind = kind;
	in->index = index;
	in->length = 0;
	copy_name(in->name, name);
	return (int)h->inputs++;
}

static void mark(int object, uint64_t offset, void *memory, uint64_t bytes)
{
	const uint8_t *m = memory;
	if (object < 0)
		return;
	for (uint64_t i = 0; i < bytes; i++) {
		uint32_t node = node_input((uint32_t)object, (uint32_t)(offset + i), m[i]);
		shadow_set_byte((uint64_t)(m + i), node ? TD_WORD(node, 0) : 0);
	}
	if (bytes && td_state.inputs[object].length < offset + bytes) /* reading nothing, far behind the end, says nothing of the length */
		td_state.inputs[object].length = offset + bytes;
}

/* Memory that was never set. All of it shares a few terms: what counts is that they are there. Bytes are made such as are rare elsewhere: if
 * somebody sets them unseen, their terms go. */
void input_unset(uint64_t start, uint64_t bytes)
{
	static int object = -1;
	if (!(td_state.header->flags & TD_UNINITIALISED) || td_state.header->state != TD_STATE_MAIN || bytes > MOST_UNSET)
		return;
	if (object < 0 && (object = object_new(TD_IN_UNSET, 0, "unset")) < 0)
		return;
	td_state.inputs[object].length = UNSET;
	for (uint64_t at = start; at < start + bytes; at++) {
		uint8_t value = (uint8_t)(FIRST_UNSET + at % UNSET);
		uint32_t node = node_input((uint32_t)object, (uint32_t)(at % UNSET), value);
		*(uint8_t *)at = value;
		shadow_set_byte(at, node ? TD_WORD(node, 0) : 0);
	}
}

/* A pseudo-branch: is the input longer than k bytes? */
static void length_event(int object, uint64_t k, bool longer)
{
	uint64_t known = td_state.inputs[object].length;
	uint32_t length = node_make(TD_LENGTH, 64, (uint32_t)object, 0, 0, known, 0);
	uint32_t bound = node_const(64, k, 0);
	if (length && bound)
		event_add(TD_EV_LENGTH, 0, TD_NO_SITE, node_make(TD_ULT, 1, bound, length, 0, longer, 0), 0, longer);
}

static void stdin_open(void)
{
	stdin_object = object_new(TD_IN_STDIN, 0, "stdin");
	if (stdin_object < 0)
		return;
	off_t here = lseek(0, 0, SEEK_CUR), end = here < 0 ? -1 : lseek(0, 0, SEEK_END);
	if (end >= 0) {
		lseek(0, here, SEEK_SET);
		td_state.inputs[stdin_object].length = (uint64_t)end;
	}
}

/* Standard input under whatever number: duplicates, and files that were opened by its name. */
static bool is_stdin(int fd)
{
	struct stat a, b;
	if (stdin_object < 0)
		return false;
	return fd == 0 || (fd > 2 && fstat(0, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static uint64_t pipe_offset;

static uint64_t stdin_offset(int fd, uint64_t bytes)
{
	off_t here = lseek(fd, 0, SEEK_CUR);
	if (here >= 0)
		return (uint64_t)here - bytes;
	uint64_t at = pipe_offset;
	pipe_offset += bytes;
	return at;
}

static struct timespec began;
static bool said_back;

/* Terms do not go through pipes and files: say so once. A file that was changed since the run began may be its own. */
static void note_back(int fd)
{
	struct stat s;
	if (said_back || shadow_is_empty() || fstat(fd, &s) != 0)
		return;
	bool later = s.st_mtim.tv_sec != began.tv_sec ? s.st_mtim.tv_sec > began.tv_sec : s.st_mtim.tv_nsec >= began.tv_nsec;
	if (!S_ISFIFO(s.st_mode) && !S_ISSOCK(s.st_mode) && !(S_ISREG(s.st_mode) && later))
		return;
	said_back = true;
	event_add(TD_EV_NOTE, TD_NOTE_BACK, TD_NO_SITE, 0, 0, 0);
}

static void deliver(uint64_t at, void *buffer, uint64_t bytes, uint64_t wanted)
{
	mark(stdin_object, at, buffer, bytes);
	if (bytes)
		length_event(stdin_object, at + bytes - 1, true);
	if (bytes < wanted)
		length_event(stdin_object, at + bytes, false);
}

/* The program has just read `bytes` of the `wanted` bytes it asked for, at offset `at`; without one, the
 * descriptor now stands right behind them. */
void __td_input_read_at(int fd, void *buffer, uint64_t bytes, uint64_t wanted, uint64_t at)
{
	check_range(&(struct reach){(uint64_t)buffer, (uint64_t)buffer, bytes, true, 0, NULL, NULL, __builtin_frame_address(0), 0});
	if (!state_enter())
		return;
	shadow_clear((uint64_t)buffer, bytes);
	if (is_stdin(fd))
		deliver(at, buffer, bytes, wanted);
	else
		note_back(fd);
	state_leave();
}

void __td_input_read(int fd, void *buffer, uint64_t bytes, uint64_t wanted)
{
	uint64_t at = is_stdin(fd) ? stdin_offset(fd, bytes) : 0;
	__td_input_read_at(fd, buffer, bytes, wanted, at);
}

/* A stream has just been asked for more, and the end of its buffer was `old_end`. */
void __td_input_filled(void *stream, const void *old_end, int at_end)
{
	const struct _IO_FILE *f = stream;
	size_t room = f->_IO_buf_end > f->_IO_buf_base ? (size_t)(f->_IO_buf_end - f->_IO_buf_base) : 1;
	if (at_end && !(f->_flags & _IO_ERR_SEEN))
		__td_input_read(f->_fileno, f->_IO_buf_base, 0, room);
	if (!at_end && (f->_IO_read_ptr == f->_IO_read_base || f->_IO_read_end != old_end))
		__td_input_read(f->_fileno, f->_IO_read_ptr, (uint64_t)(f->_IO_read_end - f->_IO_read_ptr), room);
}

void __td_input_parts(int fd, const struct iovec *parts, int count, int64_t got)
{
	uint64_t left = got > 0 ? (uint64_t)got : 0, at = is_stdin(fd) && got >= 0 ? stdin_offset(fd, left) : 0;
	for (int i = 0; i < count && got >= 0; i++) {
		uint64_t n = parts[i].iov_len < left ? parts[i].iov_len : left;
		__td_input_read_at(fd, parts[i].iov_base, n, parts[i].iov_len, at);
		if (n < parts[i].iov_len)
			break;
		at += n;
		left -= n;
	}
}

void __td_unseen(uint32_t from, uint64_t which)
{
	int fd = from == TD_UNSEEN_STDIN ? 0 : from == TD_UNSEEN_STREAM ? ((const struct _IO_FILE *)which)->_fileno : (int)which;
	if (!state_enter())
		return;
	if (is_stdin(fd))
		event_add(TD_EV_NOTE, TD_NOTE_UNSEEN, TD_NO_SITE, 0, 0, 0);
	else
		note_back(fd);
	state_leave();
}

static void mark_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char name[TD_NAME_SIZE] = "argv[";
		unsigned n = 5, digits = 1;
		for (int k = i; k >= 10; k /= 10)
			digits++;
		for (unsigned d = digits, k = (unsigned)i; d-- > 0; k /= 10)
			name[n + d] = (char)('0' + k % 10);
		name[n + digits] = ']';
		name[n + digits + 1] = 0;
		uint64_t bytes = 0;
		while (argv[i][bytes])
			bytes++;
		mark(object_new(TD_IN_ARG, (uint32_t)i, name), 0, argv[i], bytes + 1);
	}
}

static int globals_object;

static void mark_global(void *address, uint64_t size)
{
	mark(globals_object, globals_object < 0 ? 0 : td_state.inputs[globals_object].length, address, size);
}

void input_begin(int argc, char **argv)
{
	uint32_t flags = td_state.header->flags;
	stdin_object = -1;
	pipe_offset = 0;
	said_back = false;
	clock_gettime(CLOCK_REALTIME_COARSE, &began); /* what file systems take */
	if (!state_enter())
		return;
	if (flags & TD_SYM_STDIN)
		stdin_open();
	if (flags & TD_SYM_ARGV)
		mark_arguments(argc, argv);
	if (flags & TD_SYM_GLOBALS) {
		globals_object = object_new(TD_IN_GLOBAL, 0, "globals");
		module_each_initialised(mark_global);
	}
	state_leave();
}

TD_EXPORT void tandem_symbolic(void *memory, size_t bytes, const char *name)
{
	if (!state_enter())
		return;
	mark(object_new(TD_IN_MARK, 0, name ? name : "mark"), 0, memory, bytes);
	state_leave();
}

TD_EXPORT void tandem_stop(void)
{
	if (td_state.live)
		td_state.header->state = TD_STATE_EXITED;
	_exit(0);
}
