// Base64, both ways: decodes the argument without a table, checks padding, encodes again with one, compares; a word in it is a key.
// args: 'VGFuZGVtIQ==' c2VjcmV0
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The number of bytes, or minus the place of the first error, counted from one. */
static int decode(const char *s, uint8_t *out)
{
	uint32_t bits = 0;
	int have = 0, n = 0, i = 0, padding = 0;
	for (; s[i] && s[i] != '='; i++) {
		int v = value_of(s[i]);
		if (v < 0)
			return -(i + 1);
		bits = bits << 6 | (uint32_t)v;
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[n++] = (uint8_t)(bits >> have);
		}
	}
	while (s[i + padding] == '=')
		padding++;
	if (s[i + padding] || (i + padding) % 4 != 0 || padding > 2)
		return -(i + 1);
	if (bits & ((1u << have) - 1))
		return -i - 1;
	return n;
}

static void encode(const uint8_t *in, int n, char *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (int i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < n ? (uint32_t)in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
		*out++ = letters[v >> 18];
		*out++ = letters[v >> 12 & 63];
		*out++ = i + 1 < n ? letters[v >> 6 & 63] : '=';
		*out++ = i + 2 < n ? letters[v & 63] : '=';
	}
	*out = 0;
}

int main(int argc, char **argv)
{
	int status = 0;
	for (int k = 1; k < argc && strlen(argv[k]) < 60; k++) {
		uint8_t bytes[64];
		char again[100];
		int n = decode(argv[k], bytes);
		if (n < 0) {
			printf("%d: wrong at %d\n", k, -n);
			status = 1;
			continue;
		}
		int printable = 0;
		for (int i = 0; i < n; i++)
			printable += bytes[i] >= 32 && bytes[i] < 127;
		if (printable == n && n >= 6 && memcmp(bytes, "secret", 6) == 0)
			printf("%d: key\n", k);
		if (n > 3 && bytes[n - 1] == '!')
			printf("%d: loud\n", k);
		encode(bytes, n, again);
		printf("%d: %d bytes, %d printable, %s\n", k, n, printable, strcmp(again, argv[k]) == 0 ? "same" : "other");
	}
	return status;
}
