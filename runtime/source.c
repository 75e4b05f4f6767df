/* Inputs that come by descriptors: standard input, and the files that the request names. A file is known by its device and inode, so it
 * does not matter by what name, descriptor or function it is read; what that costs is one fstat for each read. Its bytes are (object,
 * offset), up to the window.
 *
 * What the program has written to such a file itself is no longer the input's. Whether it has is told by the time of the last change,
 * which the host has set to whole seconds; if so, all of the file is concrete from then on, and a note says so.
 *
 * Of a file's metadata that is symbolic which the host can bring about before a run, on any file system and for any user: permissions
 * but for the owner's right to read and write, the time of the last change, the size. The rest, and what readdir says, does not depend
 * on the input; the times that nobody can set are fixed. */
#include "object.h"

#include <bits/types/struct_FILE.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SOURCES = 64 };

struct source {
	dev_t device;
	ino_t inode;
	int object, meta;        /* -1: none */
	uint64_t window;         /* bytes that are symbolic */
	struct timespec changed; /* when the run began */
	mode_t mode;             /* likewise */
};

static struct source sources[MAX_SOURCES];
static unsigned count;
static uint64_t pipe_offset; /* of standard input, if it has none itself */
static struct timespec began;
static bool said_back;

/* ---- which ---- */

static bool is_not_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec >= b->tv_nsec;
}

static bool is_intact(const struct source *s, const struct stat *now)
{
	return !S_ISREG(now->st_mode) || (now->st_mtim.tv_sec == s->changed.tv_sec && now->st_mtim.tv_nsec == s->changed.tv_nsec);
}

static struct source *find(dev_t device, ino_t inode)
{
	for (unsigned i = 0; i < count; i++)
		if (sources[i].inode == inode && sources[i].device == device)
			return &sources[i];
	return NULL;
}

static void say_back(void)
{
	if (!said_back && !shadow_is_empty())
		event_add(TD_EV_NOTE, TD_NOTE_BACK, TD_NO_SITE, 0, 0, 0);
	said_back |= !shadow_is_empty();
}

/* What the kernel says in /proc is always as new as the question. */
static bool is_kernels(int fd)
{
	struct statfs f;
	return syscall(SYS_fstatfs, fd, &f) == 0 && f.f_type == PROC_SUPER_MAGIC;
}

/* Terms do not go through pipes and files: say so once. A file that was changed since the run began may be its own. */
static void note_back(int fd, const struct stat *s)
{
	if (S_ISFIFO(s->st_mode) || S_ISSOCK(s->st_mode) || (S_ISREG(s->st_mode) && is_not_before(&s->st_mtim, &began) && !is_kernels(fd)))
		say_back();
}

/* Questions of ours, which may be in vain (a stream may be memory, a descriptor a pipe): errno is the program's. */
static bool look_at(int fd, struct stat *s)
{
	int before = errno;
	bool ok = fstat(fd, s) == 0;
	errno = before;
	return ok;
}

static off_t position(int fd)
{
	int before = errno;
	off_t at = lseek(fd, 0, SEEK_CUR);
	errno = before;
	return at;
}

/* The input behind a descriptor; NULL: none, or it is no longer what it was. */
static struct source *source_of(int fd, struct stat *s)
{
	if ((!count && said_back) || !look_at(fd, s))
		return NULL;
	struct source *found = find(s->st_dev, s->st_ino);
	if (found && is_intact(found, s))
		return found;
	if (found)
		say_back();
	else
		note_back(fd, s);
	return NULL;
}

/* ---- the beginning ---- */

static struct source *add(const struct stat *s, int object)
{
	struct source *new = count < MAX_SOURCES && object >= 0 ? &sources[count++] : NULL;
	if (!new)
		return NULL;
	*new = (struct source){s->st_dev, s->st_ino, object, -1, UINT64_MAX, s->st_mtim, s->st_mode};
	if (S_ISREG(s->st_mode))
		td_state.inputs[object].length = (uint64_t)s->st_size;
	return new;
}

/* The last parts of a path, as many as there is room for. */
static const char *short_name(const char *path)
{
	uint64_t length = 0;
	while (path[length])
		length++;
	for (const char *c = path; length >= TD_NAME_SIZE - sizeof "meta " && *c; c++)
		if (*c == '/') {
			length -= (uint64_t)(c + 1 - path);
			path = c + 1;
		}
	return path;
}

/* The name with a word in front, as far as there is room. */
static const char *meta_name(char to[TD_NAME_SIZE], const char *file)
{
	static const char word[] = "meta ";
	unsigned n = 0;
	for (; word[n]; n++)
		to[n] = word[n];
	for (; *file && n + 1 < TD_NAME_SIZE; n++)
		to[n] = *file++;
	to[n] = 0;
	return to;
}

/* Objects are made even of what is not there, so that they have the same numbers in all runs. */
static void add_file(uint32_t index, const char *name)
{
	char about[TD_NAME_SIZE];
	struct stat s;
	int object = input_object(TD_IN_FILE, index, short_name(name));
	int meta = td_state.header->flags & TD_CONTENTS ? -1 : input_object(TD_IN_META, index, meta_name(about, short_name(name)));
	if (meta >= 0)
		td_state.inputs[meta].length = TD_META_SIZE;
	if (fstatat(AT_FDCWD, name, &s, 0) != 0 || !S_ISREG(s.st_mode) || find(s.st_dev, s.st_ino))
		return;
	struct source *new = add(&s, object);
	if (!new)
		return;
	new->meta = meta;
	if (td_state.header->window)
		new->window = td_state.header->window;
}

/* Files first: standard input may be one of them. */
void source_begin(void)
{
	struct td_header *h = td_state.header;
	struct stat s;
	int object = h->flags & TD_SYM_STDIN ? input_object(TD_IN_STDIN, 0, "stdin") : -1;
	count = 0;
	pipe_offset = 0;
	said_back = false;
	clock_gettime(CLOCK_REALTIME_COARSE, &began); /* what file systems take */
	for (uint32_t i = 0; i < h->files; i++) {
		const char *name = given_file();
		if (h->flags & TD_SYM_GIVEN)
			add_file(i, name);
	}
	if (object >= 0 && fstat(0, &s) == 0 && !find(s.st_dev, s.st_ino))
		add(&s, object);
}

/* ---- bytes ---- */

static void deliver(const struct source *s, uint64_t at, void *buffer, uint64_t bytes, uint64_t wanted)
{
	uint64_t room = at < s->window ? s->window - at : 0;
	input_mark(s->object, at, buffer, bytes < room ? bytes : room);
	if (bytes)
		input_length(s->object, at + bytes - 1, true);
	if (bytes < wanted)
		input_length(s->object, at + bytes, false);
}

/* Where the descriptor stood before it delivered so many bytes. */
static uint64_t offset_before(int fd, uint64_t bytes)
{
	off_t here = position(fd);
	if (here >= 0)
		return (uint64_t)here - bytes;
	uint64_t at = pipe_offset;
	pipe_offset += bytes;
	return at;
}

static void check_buffer(const void *buffer, uint64_t bytes, const void *frame)
{
	check_range(&(struct reach){(uint64_t)buffer, (uint64_t)buffer, bytes, true, 0, NULL, NULL, frame, 0});
}

/* The program has just read `bytes` of the `wanted` bytes it asked for, at offset `at`; without one (NULL), the
 * descriptor now stands right behind them. */
static void take(int fd, void *buffer, uint64_t bytes, uint64_t wanted, const uint64_t *at, const void *frame)
{
	struct stat s;
	check_buffer(buffer, bytes, frame);
	if (!state_enter())
		return;
	shadow_clear((uint64_t)buffer, bytes);
	const struct source *from = source_of(fd, &s);
	if (from)
		deliver(from, at ? *at : offset_before(fd, bytes), buffer, bytes, wanted);
	state_leave();
}

void __td_input_read_at(int fd, void *buffer, uint64_t bytes, uint64_t wanted, uint64_t at)
{
	take(fd, buffer, bytes, wanted, &at, __builtin_frame_address(0));
}

void __td_input_read(int fd, void *buffer, uint64_t bytes, uint64_t wanted)
{
	take(fd, buffer, bytes, wanted, NULL, __builtin_frame_address(0));
}

static struct { const void *stream, *start; uint64_t at, bytes; } last; /* buffer that was found after a seek */

/* A stream has just been asked for more, and the end of its buffer was `old_end`. */
void __td_input_filled(void *stream, const void *old_end, int at_end)
{
	const struct _IO_FILE *f = stream;
	size_t room = f->_IO_buf_end > f->_IO_buf_base ? (size_t)(f->_IO_buf_end - f->_IO_buf_base) : 1;
	last.stream = NULL;
	if (at_end && !(f->_flags & _IO_ERR_SEEN))
		__td_input_read(f->_fileno, f->_IO_buf_base, 0, room);
	if (!at_end && (f->_IO_read_ptr == f->_IO_read_base || f->_IO_read_end != old_end))
		__td_input_read(f->_fileno, f->_IO_read_ptr, (uint64_t)(f->_IO_read_end - f->_IO_read_ptr), room);
}

/* The library reads when it seeks. The descriptor stands where the buffer ends. */
void __td_input_refilled(void *stream)
{
	const struct _IO_FILE *f = stream;
	uint64_t bytes = f->_IO_read_end > f->_IO_read_base ? (uint64_t)(f->_IO_read_end - f->_IO_read_base) : 0;
	off_t end = bytes ? position(f->_fileno) : -1;
	if (end < (off_t)bytes)
		return;
	uint64_t at = (uint64_t)end - bytes;
	if (last.stream == stream && last.start == f->_IO_read_base && last.at == at && last.bytes == bytes)
		return;
	__td_input_read_at(f->_fileno, f->_IO_read_base, bytes, bytes, at);
	last.stream = stream;
	last.start = f->_IO_read_base;
	last.at = at;
	last.bytes = bytes;
}

void __td_input_parts_at(int fd, const struct iovec *parts, int parts_count, int64_t got, uint64_t at)
{
	uint64_t left = got > 0 ? (uint64_t)got : 0;
	for (int i = 0; i < parts_count && got >= 0; i++) {
		uint64_t n = parts[i].iov_len < left ? parts[i].iov_len : left;
		__td_input_read_at(fd, parts[i].iov_base, n, parts[i].iov_len, at);
		if (n < parts[i].iov_len)
			break;
		at += n;
		left -= n;
	}
}

void __td_input_parts(int fd, const struct iovec *parts, int parts_count, int64_t got)
{
	uint64_t at = 0;
	struct stat s;
	if (got >= 0 && state_enter()) {
		if (source_of(fd, &s))
			at = offset_before(fd, (uint64_t)got);
		state_leave();
	}
	__td_input_parts_at(fd, parts, parts_count, got, at);
}

/* The mapping goes on to the end of its last page, and so does what depends on where the file ends. */
void __td_input_mapped(int fd, void *memory, uint64_t bytes, uint64_t at, int access)
{
	struct stat s;
	uint64_t all = (bytes + 4095) & ~4095ull;
	if (!state_enter())
		return;
	const struct source *from = source_of(fd, &s);
	uint64_t size = from && S_ISREG(s.st_mode) && (uint64_t)s.st_size > at ? (uint64_t)s.st_size - at : 0;
	if (from && access & PROT_READ)
		deliver(from, at, memory, size < all ? size : all, all);
	else if (from)
		event_add(TD_EV_NOTE, TD_NOTE_UNSEEN, TD_NO_SITE, 0, 0, 0);
	state_leave();
}

static bool has_files(void)
{
	return count && sources[0].meta >= 0; /* they come first */
}

void __td_unseen(uint32_t from, uint64_t which)
{
	struct stat s;
	int fd = from == TD_UNSEEN_STDIN ? 0 : from == TD_UNSEEN_FILES || from == TD_UNSEEN_MEMORY ? -1 : from == TD_UNSEEN_STREAM ? ((const struct _IO_FILE *)which)->_fileno : (int)which;
	if (!state_enter())
		return;
	if (from == TD_UNSEEN_MEMORY)
		say_back();
	else if (from == TD_UNSEEN_FILES ? has_files() : source_of(fd, &s) != NULL)
		event_add(TD_EV_NOTE, TD_NOTE_UNSEEN, TD_NO_SITE, 0, 0, 0);
	state_leave();
}

/* ---- sizes and metadata ---- */

static void mark_size(const struct source *from, const void *size, uint64_t value)
{
	uint32_t node = node_make(TD_LENGTH, 64, (uint32_t)from->object, 0, 0, value, 0);
	for (unsigned k = 0; k < 8; k++)
		shadow_set_byte((uint64_t)size + k, node ? TD_WORD(node, k) : 0);
}

/* Blocks of 512 bytes, if the file system gives a file whole pages and nothing else. */
static void mark_blocks(const struct source *from, void *blocks, uint64_t size, uint64_t value)
{
	uint64_t up = size + 4095, pages = up >> 12;
	uint32_t length = node_make(TD_LENGTH, 64, (uint32_t)from->object, 0, 0, size, 0);
	if (value != pages << 3 || !length)
		return;
	uint32_t sum = node_make(TD_ADD, 64, length, node_const(64, 4095, 0), 0, up, 0);
	uint32_t shifted = sum ? node_make(TD_LSHR, 64, sum, node_const(64, 12, 0), 0, pages, 0) : 0;
	uint32_t node = shifted ? node_make(TD_SHL, 64, shifted, node_const(64, 3, 0), 0, value, 0) : 0;
	for (unsigned k = 0; k < 8; k++)
		shadow_set_byte((uint64_t)blocks + k, node ? TD_WORD(node, k) : 0);
}

void __td_input_size(int fd, uint64_t *size)
{
	struct stat s;
	if (!state_enter())
		return;
	const struct source *from = source_of(fd, &s);
	if (from && S_ISREG(s.st_mode) && (uint64_t)s.st_size == *size)
		mark_size(from, size, *size);
	state_leave();
}

void __td_input_sized(int fd)
{
	struct stat s;
	if (!state_enter())
		return;
	const struct source *from = source_of(fd, &s);
	if (from && S_ISREG(s.st_mode)) {
		if (s.st_size)
			input_length(from->object, (uint64_t)s.st_size - 1, true);
		input_length(from->object, (uint64_t)s.st_size, false);
	}
	state_leave();
}

/* A byte of the mode: the bits that are symbolic, and those that are as they are. */
static void mark_mode(const struct source *from, unsigned k, uint8_t *at)
{
	uint8_t mask = (uint8_t)(TD_META_BITS >> 8 * k), fixed = (uint8_t)(*at & ~mask);
	uint32_t byte = node_input((uint32_t)from->meta, TD_META_MODE + k, (uint8_t)(k ? *at & 0xf : *at));
	uint32_t node = byte ? node_make(TD_AND, 8, byte, node_const(8, mask, 0), 0, *at & mask, 0) : 0;
	if (node && fixed)
		node = node_make(TD_OR, 8, node, node_const(8, fixed, 0), 0, *at, 0);
	shadow_set_byte((uint64_t)at, node ? TD_WORD(node, 0) : 0);
}

/* The file was made when the run began. */
static void set_made(struct timespec *t)
{
	if (__td_fixed())
		*t = (struct timespec){TD_BEGINS, 0};
}

/* What a structure says of a file; size: its own. Who has written to it or changed its mode has made that himself. */
static void mark_metadata(const struct source *from, const struct stat *s, void *mode, void *size, void *seconds)
{
	if (!S_ISREG(s->st_mode))
		return;
	if (!is_intact(from, s)) {
		say_back();
		return;
	}
	mark_size(from, size, (uint64_t)s->st_size);
	if (from->meta < 0)
		return;
	if (s->st_mode == from->mode) {
		mark_mode(from, 0, mode);
		mark_mode(from, 1, (uint8_t *)mode + 1);
	}
	if (s->st_mtim.tv_sec >= 0 && s->st_mtim.tv_sec <= UINT32_MAX)
		input_mark(from->meta, TD_META_MTIME, seconds, 4);
}

void __td_input_stat(void *result)
{
	struct stat *s = result;
	check_buffer(result, sizeof *s, __builtin_frame_address(0));
	if (!state_enter())
		return;
	shadow_clear((uint64_t)result, sizeof *s);
	const struct source *from = find(s->st_dev, s->st_ino);
	if (from) {
		set_made(&s->st_atim);
		set_made(&s->st_ctim);
		mark_metadata(from, s, &s->st_mode, &s->st_size, &s->st_mtim.tv_sec);
		if (S_ISREG(s->st_mode) && is_intact(from, s))
			mark_blocks(from, &s->st_blocks, (uint64_t)s->st_size, (uint64_t)s->st_blocks);
	}
	state_leave();
}

void __td_input_statx(void *result)
{
	struct statx *x = result;
	check_buffer(result, sizeof *x, __builtin_frame_address(0));
	if (!state_enter())
		return;
	shadow_clear((uint64_t)result, sizeof *x);
	const struct source *from = find(makedev(x->stx_dev_major, x->stx_dev_minor), x->stx_ino);
	unsigned all = STATX_MODE | STATX_TYPE | STATX_SIZE | STATX_MTIME;
	struct stat s = {.st_mode = x->stx_mode, .st_size = (off_t)x->stx_size, .st_mtim = {x->stx_mtime.tv_sec, x->stx_mtime.tv_nsec}};
	if (from && __td_fixed())
		x->stx_atime.tv_sec = x->stx_ctime.tv_sec = TD_BEGINS, x->stx_atime.tv_nsec = x->stx_ctime.tv_nsec = 0;
	if (from && (x->stx_mask & all) == all)
		mark_metadata(from, &s, &x->stx_mode, &x->stx_size, &x->stx_mtime.tv_sec);
	state_leave();
}

/* Whoever may override permissions may execute what anybody may. */
uint32_t __td_input_runs(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {{0}};
	bool overrides = syscall(SYS_capget, &head, data) == 0 && data[0].effective & 1u << CAP_DAC_OVERRIDE;
	return overrides ? S_IXUSR | S_IXGRP | S_IXOTH : S_IXUSR;
}
