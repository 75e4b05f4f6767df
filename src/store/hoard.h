/* Bytes by key, in files, for many processes at once: what one has put there all others find. It may forget, and says so by finding nothing; it never gives back anything else than what was put there. */
#ifndef TANDEM_STORE_HOARD_H
#define TANDEM_STORE_HOARD_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct hoard;

/* In a directory that is there. What is there of another id, or makes no sense, is thrown away: so only while nobody else has it open. It is then open for all processes that are forked. Data grow up to `limit` bytes. */
struct hoard *hoard_open(const char *directory, uint64_t id, uint64_t limit, struct err *err);
void hoard_close(struct hoard *h); /* NULL is allowed */

/* What was put there; until the next call. NULL: nothing is known. */
const uint8_t *hoard_get(struct hoard *h, uint64_t key, size_t *size);

/* What is there already stays. */
void hoard_put(struct hoard *h, uint64_t key, const void *bytes, size_t size);

struct hoard_counts {
	uint64_t bytes;   /* of data */
	bool full;        /* something was refused for lack of room, by anybody since it was opened */
};

struct hoard_counts hoard_counts(const struct hoard *h);

#endif
