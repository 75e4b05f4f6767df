// A little archive format: header, length, payload, and three checksums (CRC-32 without a table, Adler-32, Fletcher-16),
// some of which must agree. Unsigned arithmetic of three widths, shifts, big and little endian.
// stdin: TDM1\0000\0014hello, world\0160\0010\0001\0002\0003
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint32_t crc32(const uint8_t *p, size_t n)
{
	uint32_t c = ~0u;
	while (n--) {
		c ^= *p++;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
	}
	return ~c;
}

static uint32_t adler(const uint8_t *p, size_t n)
{
	uint32_t a = 1, b = 0;
	while (n--) {
		a = (a + *p++) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static uint16_t fletcher(const uint8_t *p, size_t n)
{
	uint8_t a = 0, b = 0;
	for (size_t i = 0; i < n; i++) {
		a = (uint8_t)(a + p[i]);
		b = (uint8_t)(b + a);
	}
	return (uint16_t)(b << 8 | a);
}

struct header { uint8_t magic[3]; uint8_t version; uint16_t length; };

static int parse(const uint8_t *p, size_t n, struct header *h)
{
	if (n < 6)
		return 1;
	memcpy(h->magic, p, 3);
	h->version = (uint8_t)(p[3] - '0');
	h->length = (uint16_t)(p[4] << 8 | p[5]);
	if (memcmp(h->magic, "TDM", 3) != 0)
		return 2;
	if (h->version == 0 || h->version > 3)
		return 3;
	if ((size_t)h->length + 6 > n)
		return 4;
	return 0;
}

int main(void)
{
	uint8_t buffer[64];
	struct header h;
	ssize_t n = read(0, buffer, sizeof buffer);
	if (n < 0)
		return 9;
	int bad = parse(buffer, (size_t)n, &h);
	if (bad)
		return bad;
	const uint8_t *body = buffer + 6, *tail = body + h.length;
	size_t rest = (size_t)n - 6 - h.length;
	uint32_t crc = crc32(body, 4), sum = adler(body, h.length);
	uint16_t small = fletcher(body, h.length);
	if (rest >= 2 && (tail[0] | tail[1] << 8) == small)
		puts("fletcher agrees");
	if (crc >> 24 > 0x80)
		puts("crc is high");
	if ((sum & 0xffff) > 0x400)
		puts("adler is large");
	if ((int8_t)(small & 0xff) < 0)
		puts("negative");
	if (rest > 2 && tail[2] != (uint8_t)(~tail[3] + tail[4]))
		puts("tail is odd");
	return rest > 4 ? tail[4] & 1 : 0;
}
