/* Bytes as text and back: the words, strings and bodies that a test case file is made of (docs/testcase-format.md). */
#ifndef TANDEM_TESTCASE_CASETEXT_H
#define TANDEM_TESTCASE_CASETEXT_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

void casetext_put_string(const void *bytes, size_t size, struct str *out); /* "with \x00 in quotes" */
void casetext_put_body(const void *bytes, size_t size, struct str *out);   /* " size N encoding", end of line, and lines that start with | */

/* What is left of a file. Each function takes something from its start, or leaves it as it is and returns false. */
struct casetext {
	const char *at, *end;
};

bool casetext_word(struct casetext *t, char *word, size_t room);  /* letters, digits and -, with the blank before it */
bool casetext_number(struct casetext *t, int base, uint64_t max, uint64_t *number);
bool casetext_signed(struct casetext *t, int64_t *number);
bool casetext_string(struct casetext *t, struct arena *arena, const char **bytes, size_t *size); /* NUL-terminated */
bool casetext_line_end(struct casetext *t);
bool casetext_body(struct casetext *t, struct arena *arena, const uint8_t **bytes, size_t *size); /* NULL if empty */

#endif
