/* Where scanf takes its characters from: a text, or a stream. */
#ifndef TANDEM_MODELS_SOURCE_H
#define TANDEM_MODELS_SOURCE_H

#include "stream.h"

#include <errno.h>

int MODEL(ungetc)(int c, FILE *f);

struct source {
	const char *text; /* or */
	FILE *stream;
	int c;            /* the last character taken */
	int ended;        /* or there was none: then no more is asked for, */
	int error;        /* and errno is again what it was at that time */
	int count;        /* taken so far */
};

/* 0: there is none. That c is no EOF is not asked of a symbolic character. */
static inline int take(struct source *s)
{
	if (s->ended) {
		errno = s->error;
		return 0;
	}
	if (s->stream ? !fill(s->stream) : !*s->text) {
		s->ended = 1;
		s->error = errno;
		return 0;
	}
	s->c = (byte)(s->stream ? *s->stream->_IO_read_ptr++ : *s->text++);
	s->count++;
	return 1;
}

static inline void give_back(struct source *s)
{
	if (s->ended)
		return;
	s->count--;
	if (s->stream)
		MODEL(ungetc)(s->c, s->stream);
	else
		s->text--;
}

static inline void skip_spaces(struct source *s)
{
	int before = errno;
	errno = 0;
	while (take(s) && MODEL(isspace)(s->c))
		;
	errno = before;
	give_back(s);
}

#endif
