// A UTF-8 decoder: rejects overlong forms, surrogates and what is above U+10FFFF; counts classes; writes UTF-16 into a buffer.
// stdin: a\0303\0251\0342\0202\0254\0360\0237\0230\0200z\0303
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct decoder { uint32_t code; uint32_t least; uint8_t left; };
enum outcome { MORE, DONE, BROKEN };

static enum outcome feed(struct decoder *d, uint8_t b)
{
	if (d->left == 0) {
		if (b < 0x80) {
			d->code = b;
			return DONE;
		}
		if ((b & 0xe0) == 0xc0)
			*d = (struct decoder){ b & 0x1fu, 0x80, 1 };
		else if ((b & 0xf0) == 0xe0)
			*d = (struct decoder){ b & 0x0fu, 0x800, 2 };
		else if ((b & 0xf8) == 0xf0)
			*d = (struct decoder){ b & 0x07u, 0x10000, 3 };
		else
			return BROKEN;
		return MORE;
	}
	if ((b & 0xc0) != 0x80) {
		d->left = 0;
		return BROKEN;
	}
	d->code = d->code << 6 | (b & 0x3fu);
	if (--d->left)
		return MORE;
	if (d->code < d->least || d->code > 0x10ffff || (d->code & ~0x7ffu) == 0xd800)
		return BROKEN;
	return DONE;
}

static int write16(uint16_t *to, uint32_t code)
{
	if (code < 0x10000) {
		to[0] = (uint16_t)code;
		return 1;
	}
	code -= 0x10000;
	to[0] = (uint16_t)(0xd800 | code >> 10);
	to[1] = (uint16_t)(0xdc00 | (code & 0x3ff));
	return 2;
}

static int is_letter(uint32_t c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= 0xc0 && c < 0x250 && c != 0xd7 && c != 0xf7);
}

int main(void)
{
	uint8_t in[40];
	uint16_t out[80];
	struct decoder d = { 0, 0, 0 };
	unsigned letters = 0, broken = 0, pairs = 0, length = 0;
	ssize_t n = read(0, in, sizeof in);
	for (ssize_t i = 0; i < n; i++) {
		switch (feed(&d, in[i])) {
		case DONE:
			letters += (unsigned)is_letter(d.code);
			if (is_letter(d.code) && d.code > 0x7f)
				puts("accented");
			length += (unsigned)write16(out + length, d.code);
			break;
		case BROKEN: broken++; break;
		case MORE: break;
		}
	}
	for (unsigned i = 0; i + 1 < length; i++)
		if (out[i] >> 10 == 0x36 && out[i + 1] >> 10 == 0x37)
			pairs++;
	printf("%u units, %u letters, %u pairs, %u broken, %u left\n", length, letters, pairs, broken, d.left);
	if (d.left)
		return 2;
	return broken > 2;
}
