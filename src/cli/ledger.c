/* See ledger.h. Text, so that people and scripts can read it: CRC KEY COVERED CHAINED RUNS INPUTS MADE SECONDS STEPS. */
#include "cli/ledger.h"

#include "base/crc.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG "trials"
#define HEAD "tandem trials 3 "
#define SUM 9 /* eight digits and a blank */

struct ledger {
	const char *directory;
	int fd;
	size_t read;              /* bytes that were looked at */
	VEC(struct ledger_entry) entries;
	struct map places;        /* plus 1, by key */
};

static bool trouble(const struct ledger *l, struct err *err)
{
	return err_errno(err, "%s/" LOG, l->directory);
}

/* --- lines --- */

static bool take_steps(const char *text, struct ledger_entry *e)
{
	VEC(struct ledger_step) steps = {0};
	while (*text) {
		struct ledger_step s;
		int n = 0;
		if (sscanf(text, "%" SCNu32 ":%" SCNu32 "%n", &s.runs, &s.covered, &n) != 2)
			break;
		vec_push(&steps, s);
		text += n + (text[n] == ',');
	}
	e->steps = steps.at;
	e->steps_count = steps.count;
	return !*text;
}

static void take_line(struct ledger *l, const char *line, size_t length)
{
	struct ledger_entry e = {0};
	uint32_t sum;
	int at = 0;
	if (length < SUM || line[SUM - 1] != ' ' || strlen(line) != length || sscanf(line, "%8" SCNx32, &sum) != 1 || sum != crc_of(line + SUM, length - SUM))
		return;
	line += SUM;
	bool ok = sscanf(line, "%" SCNx64 " %lf %lf %lf %" SCNx64 " %lf %lf %n", &e.key, &e.covered, &e.chained, &e.runs, &e.inputs, &e.made, &e.seconds, &at) == 7 && at && take_steps(line + at, &e);
	uint32_t *place = ok ? map_at(&l->places, e.key) : NULL;
	if (!ok || *place) {
		free((void *)(uintptr_t)e.steps);
		return;
	}
	vec_push(&l->entries, e);
	*place = (uint32_t)l->entries.count;
}

bool ledger_look(struct ledger *l, struct err *err)
{
	struct stat st;
	if (fstat(l->fd, &st))
		return trouble(l, err);
	size_t size = (size_t)st.st_size > l->read ? (size_t)st.st_size - l->read : 0;
	char *bytes = mem_alloc(size + 1);
	ssize_t n = pread(l->fd, bytes, size, (off_t)l->read);
	char *line = bytes, *last = bytes + (n > 0 ? n : 0);
	for (char *end; line < last && (end = memchr(line, '\n', (size_t)(last - line))); line = end + 1) {
		*end = '\0';
		take_line(l, line, (size_t)(end - line));
	}
	l->read += (size_t)(line - bytes);
	free(bytes);
	return n >= 0 || trouble(l, err);
}

bool ledger_add(const struct ledger *l, const struct ledger_entry *e, struct err *err)
{
	struct str line = {0}, sum = {0};
	str_printf(&line, "00000000 %016" PRIx64 " %.0f %.0f %.0f %016" PRIx64 " %.0f %.3f ", e->key, e->covered, e->chained, e->runs, e->inputs, e->made, e->seconds);
	for (size_t i = 0; i < e->steps_count; i++)
		str_printf(&line, "%s%" PRIu32 ":%" PRIu32, i ? "," : "", e->steps[i].runs, e->steps[i].covered);
	str_printf(&sum, "%08" PRIx32, crc_of(line.text + SUM, line.length - SUM));
	memcpy(line.text, sum.text, SUM - 1);
	str_add_char(&line, '\n');
	bool ok = fs_write_fd(l->fd, line.text, line.length) || trouble(l, err);
	str_free(&line);
	str_free(&sum);
	return ok;
}

/* --- the file --- */

/* The rest of a line whose writer was killed is cut off. */
static bool check_head(struct ledger *l, uint64_t id, struct err *err)
{
	struct str head = {0};
	struct stat st;
	char text[64] = "";
	str_printf(&head, HEAD "%016" PRIx64 "\n", id);
	bool ok = (fstat(l->fd, &st) == 0 && pread(l->fd, text, sizeof text - 1, 0) >= 0) || trouble(l, err);
	if (ok && !st.st_size)
		ok = fs_write_fd(l->fd, head.text, head.length) || trouble(l, err);
	else if (ok && strncmp(text, head.text, head.length) != 0)
		ok = err_set(err, strncmp(text, HEAD, strlen(HEAD)) == 0 ? "%s: its trials are of another program, of other inputs, of another number of runs, or by another build of Tandem" : "%s/" LOG ": not a file of trials",
		             l->directory);
	l->read = head.length;
	str_free(&head);
	return ok && ledger_look(l, err) && (ftruncate(l->fd, (off_t)l->read) == 0 || trouble(l, err));
}

struct ledger *ledger_open(const char *directory, uint64_t id, struct err *err)
{
	struct ledger *l = mem_alloc(sizeof *l);
	struct str path = {0};
	*l = (struct ledger){ .directory = directory };
	str_printf(&path, "%s/" LOG, directory);
	l->fd = open(str_text(&path), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	bool ok = l->fd >= 0 || trouble(l, err);
	if (ok && flock(l->fd, LOCK_EX | LOCK_NB))
		ok = errno == EWOULDBLOCK ? err_set(err, "%s: somebody is at work on it", directory) : trouble(l, err);
	str_free(&path);
	if (ok && check_head(l, id, err))
		return l;
	ledger_close(l);
	return NULL;
}

void ledger_close(struct ledger *l)
{
	if (!l)
		return;
	if (l->fd >= 0)
		close(l->fd);
	for (size_t i = 0; i < l->entries.count; i++)
		free((void *)(uintptr_t)l->entries.at[i].steps);
	vec_free(&l->entries);
	map_free(&l->places);
	free(l);
}

size_t ledger_count(const struct ledger *l)
{
	return l->entries.count;
}

const struct ledger_entry *ledger_at(const struct ledger *l, size_t i)
{
	return &l->entries.at[i];
}

const struct ledger_entry *ledger_find(struct ledger *l, uint64_t key)
{
	uint32_t place = *map_at(&l->places, key);
	return place ? &l->entries.at[place - 1] : NULL;
}
