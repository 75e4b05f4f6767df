/* Numbers and bytes in a row, small numbers in few bytes (LEB128), for records that are kept in large numbers. Whoever reads may be given anything: what is not there is 0, and `bad` says so. */
#ifndef TANDEM_BASE_PACK_H
#define TANDEM_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pack {
	uint8_t *at;
	size_t count, room;
};

void pack_number(struct pack *p, uint64_t n);
void pack_bytes(struct pack *p, const void *bytes, size_t size); /* without their size */
void pack_text(struct pack *p, const char *text);                /* its size, then it */
void pack_clear(struct pack *p);
void pack_free(struct pack *p);

/* How one row of bytes differs from another that whoever reads it has too: a few bytes, where they are much the same. */
void pack_difference(struct pack *p, const struct pack *from, const struct pack *to);

struct unpack {
	const uint8_t *at, *end;
	bool bad;
};

uint64_t unpack_number(struct unpack *u);
const uint8_t *unpack_bytes(struct unpack *u, size_t size); /* NULL: there are not so many */
const uint8_t *unpack_block(struct unpack *u, size_t *size);/* a size, then so many bytes */

bool unpack_difference(struct unpack *u, const struct pack *from, struct pack *to);

#endif
