/* Digests of memory. The length comes last, so that zeros at the end count. */
#include "base/digest.h"

#include <string.h>

struct digest digest_bytes(struct digest d, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	for (size_t done = 0; done < size; done += 8) {
		uint64_t word = 0;
		memcpy(&word, at + done, size - done < 8 ? size - done : 8);
		d = digest_add(d, word);
	}
	return digest_add(d, size);
}
