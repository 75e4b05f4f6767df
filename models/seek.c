/* Places in streams and files. Going to one may fill a stream's buffer without asking anybody for more: its bytes get their terms behind it. Who
 * goes to the end of the input knows how long it is. Streams over memory have no terms: what is written to one comes back unseen. */
#include "stream.h"

#include "contract/slots.h"

#include <stdio.h>
#include <unistd.h>

/* What of the buffer was read, and up to where. */
struct look {
	const char *base, *end;
	off_t at;
};

static struct look look(FILE *f)
{
	return (struct look){f->_IO_read_base, f->_IO_read_end, f->_fileno >= 0 ? lseek(f->_fileno, 0, SEEK_CUR) : -1};
}

static void look_again(FILE *f, const struct look *before)
{
	struct look now = look(f);
	if (now.at < 0 || now.end == now.base || (now.at == before->at && now.end == before->end && now.base == before->base))
		return;
	uint64_t bytes = (uint64_t)(now.end - now.base);
	__td_input_read(f->_fileno, (char *)now.base, bytes, bytes);
}

static int move(FILE *f, off_t to, int from)
{
	struct look before = look(f);
	int result = fseeko(f, to, from);
	look_again(f, &before);
	if (from == SEEK_END && f->_fileno >= 0)
		__td_input_size(f->_fileno);
	return result;
}

int MODEL(fseek)(FILE *f, long to, int from) { return move(f, to, from); }
int MODEL(fseeko)(FILE *f, off_t to, int from) { return move(f, to, from); }
int MODEL(fseeko64)(FILE *f, off_t to, int from) { return move(f, to, from); }

void MODEL(rewind)(FILE *f)
{
	struct look before = look(f);
	rewind(f);
	look_again(f, &before);
}

int MODEL(fsetpos)(FILE *f, const fpos_t *to)
{
	struct look before = look(f);
	int result = fsetpos(f, to);
	look_again(f, &before);
	return result;
}

int MODEL(fsetpos64)(FILE *f, const fpos_t *to) { return MODEL(fsetpos)(f, to); }

off_t MODEL(lseek)(int fd, off_t to, int from)
{
	if (from == SEEK_END)
		__td_input_size(fd);
	return lseek(fd, to, from);
}

off_t MODEL(lseek64)(int fd, off_t to, int from) { return MODEL(lseek)(fd, to, from); }

FILE *MODEL(open_memstream)(char **text, size_t *size)
{
	__td_unseen(TD_UNSEEN_MEMORY, 0);
	return open_memstream(text, size);
}

FILE *MODEL(fmemopen)(void *memory, size_t size, const char *mode)
{
	__td_handed("fmemopen");
	if (mode[0] == 'r' && memory)
		__td_external(memory, size, TD_EFFECT_READS);
	if (mode[0] != 'r' || mode[1])
		__td_unseen(TD_UNSEEN_MEMORY, 0);
	return fmemopen(memory, size, mode);
}

FILE *MODEL(fopencookie)(void *cookie, const char *mode, cookie_io_functions_t functions)
{
	__td_unseen(TD_UNSEEN_MEMORY, 0);
	return fopencookie(cookie, mode, functions);
}
