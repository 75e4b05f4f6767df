/* Two files. `known.data` has records one behind the other: sizes, CRC, key, bytes, which are compressed if that makes them smaller. `known.index` has, in memory that all processes share, where each is: tables of slots (key, place), the next
 * four times as large as the one before and made when no slot is free near the hash of a key.
 *
 * Nobody waits for anybody. A record's place is taken by adding to a counter, it is written, and only then entered in a slot: whoever is killed in between leaves a gap, or a slot without a place, which the
 * next one with the same key fills. Slots never become free, so a free one near a key's hash says that no later table has it. A record is believed if its size, key and CRC are right:
 * after a power cut the index may be newer than the data. Room for a table is had of the disk before it is used, and data are written rather than mapped, so a full disk is an error and no signal. */
#include "store/hoard.h"

#include "base/crc.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define MAGIC 0x44524f48444e5431ull /* "1TNDHORD" */
#define VERSION 3u
#define HEAD 4096u
#define TABLES 7u
#define FIRST ((size_t)1 << 16)     /* slots of the first table; a power of two */
#define NEAR 32u                    /* slots that are looked at */
#define RECORD_MAX (1u << 24)
#define SMALL 128u                  /* bytes that are not worth compressing */
#define LEVEL 1                     /* the fastest */

struct slot {
	_Atomic uint64_t key;    /* 0: free */
	_Atomic uint64_t place;  /* plus 1; 0: not yet */
};

struct head {
	uint64_t magic, id;
	uint32_t version;
	_Atomic uint32_t tables;
	_Atomic uint64_t used;   /* bytes of data */
	_Atomic uint32_t full;   /* something was refused since it was opened */
};

struct record {
	uint32_t size, crc;      /* of what follows */
	uint64_t key;
	uint32_t plain;          /* bytes that were put in; if it is the same, they are as they were */
};

struct buffer {
	uint8_t *at;
	size_t room;
};

struct hoard {
	int index, data;
	struct head *head;
	uint64_t limit;
	bool full;
	struct buffer bytes, plain; /* of the last record */
	ZSTD_CCtx *pack;
	ZSTD_DCtx *unpack;
};

/* --- tables --- */

static size_t slots_of(unsigned table)
{
	return FIRST << 2 * table;
}

/* Where a table begins in the file; of the one behind the last: how long it can become. */
static size_t offset_of(unsigned table)
{
	size_t at = HEAD;
	for (unsigned i = 0; i < table; i++)
		at += slots_of(i) * sizeof(struct slot);
	return at;
}

/* The slot of a key, or one that is free, or NULL: neither is near. */
static struct slot *look(const struct hoard *h, unsigned table, uint64_t key)
{
	struct slot *slots = (struct slot *)((char *)h->head + offset_of(table));
	size_t mask = slots_of(table) - 1, at = (size_t)rng_mix(key + table);
	for (size_t i = 0; i < NEAR; i++) {
		struct slot *s = &slots[(at + i) & mask];
		uint64_t there = atomic_load(&s->key);
		if (!there || there == key)
			return s;
	}
	return NULL;
}

/* One more, by whoever comes first. */
static bool add_table(struct hoard *h, uint32_t tables)
{
	if (tables >= TABLES || posix_fallocate(h->index, (off_t)offset_of(tables), (off_t)(offset_of(tables + 1) - offset_of(tables))))
		return false;
	atomic_compare_exchange_strong(&h->head->tables, &tables, tables + 1);
	return true;
}

/* --- records --- */

static bool read_all(int fd, void *bytes, size_t size, uint64_t at)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, (char *)bytes + done, size - done, (off_t)(at + done));
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool write_all(int fd, const void *bytes, size_t size, uint64_t at)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(fd, (const char *)bytes + done, size - done, (off_t)(at + done));
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static uint8_t *make_room(struct buffer *b, size_t size)
{
	if (b->room < size) {
		b->room = 2 * size;
		b->at = mem_resize(b->at, b->room);
	}
	return b->at;
}

static const uint8_t *read_record(struct hoard *h, uint64_t place, uint64_t key, size_t *size)
{
	struct record r;
	if (!read_all(h->data, &r, sizeof r, place) || r.key != key || r.size > RECORD_MAX || r.plain > RECORD_MAX)
		return NULL;
	uint8_t *bytes = make_room(&h->bytes, (size_t)r.size + 1);
	if (!read_all(h->data, bytes, r.size, place + sizeof r) || crc_of(bytes, r.size) != r.crc)
		return NULL;
	*size = r.plain;
	if (r.plain == r.size)
		return bytes;
	uint8_t *plain = make_room(&h->plain, (size_t)r.plain + 1);
	return ZSTD_decompressDCtx(h->unpack, plain, r.plain, bytes, r.size) == r.plain ? plain : NULL;
}

/* Its place plus 1; 0: there is no room. */
static uint64_t write_record(struct hoard *h, uint64_t key, const void *bytes, size_t size)
{
	struct record r = { .key = key, .plain = (uint32_t)size };
	uint8_t *whole = make_room(&h->bytes, sizeof r + size), *packed = whole + sizeof r;
	size_t n = size > SMALL ? ZSTD_compressCCtx(h->pack, packed, size - 1, bytes, size, LEVEL) : size;
	if (n >= size || ZSTD_isError(n)) {
		memcpy(packed, bytes, size);
		n = size;
	}
	r.size = (uint32_t)n;
	r.crc = crc_of(packed, n);
	memcpy(whole, &r, sizeof r);
	uint64_t place = atomic_fetch_add(&h->head->used, sizeof r + n);
	return place + sizeof r + n <= h->limit && write_all(h->data, whole, sizeof r + n, place) ? place + 1 : 0;
}

/* --- all together --- */

const uint8_t *hoard_get(struct hoard *h, uint64_t key, size_t *size)
{
	key += !key;
	for (unsigned i = 0; i < atomic_load(&h->head->tables); i++) {
		struct slot *s = look(h, i, key);
		if (!s)
			continue;
		uint64_t place = atomic_load(&s->key) == key ? atomic_load(&s->place) : 0;
		return place ? read_record(h, place - 1, key, size) : NULL;
	}
	return NULL;
}

/* The slot for a key, its own from here on; NULL: there is none to be had. */
static struct slot *claim(struct hoard *h, uint64_t key)
{
	for (unsigned i = 0;; i++) {
		if (i == atomic_load(&h->head->tables) && !add_table(h, i))
			return NULL;
		for (struct slot *s; (s = look(h, i, key));) {
			uint64_t is_free = 0;
			if (atomic_compare_exchange_strong(&s->key, &is_free, key) || is_free == key)
				return s;
		}
	}
}

void hoard_put(struct hoard *h, uint64_t key, const void *bytes, size_t size)
{
	key += !key;
	struct slot *s = h->full || size > RECORD_MAX ? NULL : claim(h, key);
	uint64_t none = 0, place = s && !atomic_load(&s->place) ? write_record(h, key, bytes, size) : 0;
	if ((!s && size <= RECORD_MAX) || (s && !place && !atomic_load(&s->place))) {
		h->full = true;
		atomic_store(&h->head->full, 1);
	}
	if (place)
		atomic_compare_exchange_strong(&s->place, &none, place);
}

struct hoard_counts hoard_counts(const struct hoard *h)
{
	uint64_t used = atomic_load(&h->head->used);
	return (struct hoard_counts){ used < h->limit ? used : h->limit, atomic_load(&h->head->full) };
}

static int open_file(const char *directory, const char *name, struct err *err)
{
	struct str path = {0};
	str_printf(&path, "%s/%s", directory, name);
	int fd = open(str_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		err_errno(err, "%s", str_text(&path));
	str_free(&path);
	return fd;
}

static bool is_sound(const struct hoard *h, uint64_t id)
{
	struct head now;
	struct stat index;
	return read_all(h->index, &now, sizeof now, 0) && now.magic == MAGIC && now.version == VERSION && now.id == id && now.tables && now.tables <= TABLES && !fstat(h->index, &index) &&
	       (size_t)index.st_size >= offset_of(now.tables);
}

/* The head is written last: an index without one is begun anew. */
static bool begin(struct hoard *h, uint64_t id)
{
	struct head first = { .magic = MAGIC, .id = id, .version = VERSION, .tables = 1 };
	int failed = ftruncate(h->data, 0) || ftruncate(h->index, 0) ? errno : posix_fallocate(h->index, 0, (off_t)offset_of(1));
	errno = failed ? failed : errno;
	return !failed && write_all(h->index, &first, sizeof first, 0);
}

struct hoard *hoard_open(const char *directory, uint64_t id, uint64_t limit, struct err *err)
{
	struct hoard *h = mem_alloc(sizeof *h);
	*h = (struct hoard){ .index = -1, .data = -1, .limit = limit, .pack = ZSTD_createCCtx(), .unpack = ZSTD_createDCtx() };
	h->index = open_file(directory, "known.index", err);
	h->data = h->index < 0 ? -1 : open_file(directory, "known.data", err);
	bool ok = h->data >= 0 && (is_sound(h, id) || begin(h, id) || err_errno(err, "%s/known.index", directory));
	void *map = ok ? mmap(NULL, offset_of(TABLES), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, h->index, 0) : MAP_FAILED;
	h->head = map == MAP_FAILED ? NULL : map;
	if (h->head)
		atomic_store(&h->head->full, 0);
	if (ok && !h->head)
		ok = err_errno(err, "%s/known.index", directory);
	if (ok)
		return h;
	hoard_close(h);
	return NULL;
}

void hoard_close(struct hoard *h)
{
	if (!h)
		return;
	if (h->head)
		munmap(h->head, offset_of(TABLES));
	if (h->index >= 0)
		close(h->index);
	if (h->data >= 0)
		close(h->data);
	ZSTD_freeCCtx(h->pack);
	ZSTD_freeDCtx(h->unpack);
	free(h->bytes.at);
	free(h->plain.at);
	free(h);
}
