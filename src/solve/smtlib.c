/* One file per query that was not answered from memory, in QF_BV. Comments say what the variables were in the parent's input; a byte is
 * named by the number of its object in the trace and its offset. Floating point is held, as for Z3. */
#include "solve/smtlib.h"

#include "base/fs.h"
#include "base/str.h"
#include "solve/smt.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

static void put_variables(const struct problem *p, struct str *out)
{
	for (uint32_t i = 0; i < p->variables_count; i++) {
		const struct variable *v = &p->variables[i];
		if (v->is_length)
			str_printf(out, "; length%" PRIu32 " was %" PRIu64 "\n", v->object, v->seed);
		else if (!v->is_fixed)
			str_printf(out, "; byte%" PRIu32 "_%" PRIu32 " was %" PRIu64 "\n", v->object, v->offset, v->seed);
	}
}

/* There are thousands of them, and nobody minds if a power failure takes some: no fsync, as fs_write has. */
static bool write_plainly(const char *path, const struct str *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && fs_write_fd(fd, text->text, text->length);
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	return ok || err_errno(err, "cannot write %s", path);
}

bool smtlib_write(const char *dir, uint64_t number, const struct problem *p, enum verdict verdict, struct arena *arena, struct err *err)
{
	struct str text = {0};
	const char *path = arena_printf(arena, "%s/%06" PRIu64 "-%016" PRIx64 ".smt2", dir, number, p->key.a);
	str_printf(&text, "; %zu demands, the last %zu of them asked for\n", p->count, p->goals);
	if (p->held)
		str_add(&text, "; floating point is held at the value it had\n");
	put_variables(p, &text);
	str_add(&text, smt_text(p, "tandem", verdict, arena));
	bool ok = write_plainly(path, &text, err);
	str_free(&text);
	return ok;
}
