// A small decompressor (literals, runs, back references into a window) and a filter after it: lengths, distances, deltas, a
// trailing sum. Signed deltas in bytes, memmove, output limits.
// stdin: \0004abcd\0203x\0102\0005\0000zE\0001!
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 64 };
struct out { uint8_t bytes[ROOM]; size_t n; };
struct in { const uint8_t *at, *end; };

static int byte(struct in *in) { return in->at < in->end ? *in->at++ : -1; }

static int literals(struct in *in, struct out *o, unsigned n)
{
	if ((size_t)(in->end - in->at) < n || o->n + n > ROOM)
		return 0;
	memcpy(o->bytes + o->n, in->at, n);
	in->at += n;
	o->n += n;
	return 1;
}

static int run(struct in *in, struct out *o, unsigned n)
{
	int c = byte(in);
	if (c < 0 || o->n + n > ROOM)
		return 0;
	memset(o->bytes + o->n, c, n);
	o->n += n;
	return 1;
}

static int copy(struct in *in, struct out *o, unsigned n)
{
	int distance = byte(in);
	if (distance <= 0 || (size_t)distance > o->n || o->n + n > ROOM)
		return 0;
	while (n--) {
		o->bytes[o->n] = o->bytes[o->n - (size_t)distance];
		o->n++;
	}
	return 1;
}

static int unpack(struct in *in, struct out *o)
{
	for (int c; (c = byte(in)) > 0;) {
		unsigned n = (unsigned)c & 0x3f;
		int good = c & 0x80 ? run(in, o, n) : c & 0x40 ? copy(in, o, n + 2) : literals(in, o, n);
		if (!good)
			return 0;
	}
	return 1;
}

static void undelta(struct out *o)
{
	int8_t last = 0;
	for (size_t i = 0; i < o->n; i++) {
		last = (int8_t)(last + (int8_t)o->bytes[i]);
		o->bytes[i] = (uint8_t)(last < 0 ? -last : last);
	}
}

int main(void)
{
	uint8_t text[64];
	size_t n = fread(text, 1, sizeof text, stdin);
	struct in in = { text, text + n };
	struct out o = { { 0 }, 0 };
	if (!unpack(&in, &o)) {
		printf("broken at %d\n", (int)(in.at - text));
		return 1;
	}
	uint16_t sum = 0;
	for (size_t i = 0; i < o.n; i++)
		sum = (uint16_t)(sum * 31 + o.bytes[i]);
	int wanted = byte(&in);
	if (wanted == 'E')
		undelta(&o);
	memmove(o.bytes, o.bytes + 1, o.n ? o.n - 1 : 0);
	if (o.n > 4 && o.bytes[2] == o.bytes[3])
		puts("twins");
	if ((sum & 0xff) == byte(&in))
		puts("sum agrees");
	printf("%zu bytes, %zu left\n", o.n, (size_t)(in.end - in.at));
	return sum & 1 ? 3 : 0;
}
