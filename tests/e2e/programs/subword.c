// Sub-word access: bytes of words, words of bytes, overlapping, unions, pointers into the middle, type punning by memcpy.
// tandem: trace @
// stdin: abcdefghijkl
// expect: main +not taken .*stdin\[0..3\]
// expect: main +not taken .*stdin\[0..3\]
// expect: main +taken .*stdin\[5\]
// expect: main +not taken .*stdin\[6\]
// expect: main +taken .*stdin\[8\]
// expect: main +not taken .*stdin\[10\]
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

union view { uint32_t word; uint16_t half[2]; uint8_t byte[4]; float f; struct { uint8_t low; int8_t rest[3]; } parts; };

int main(void)
{
	unsigned char in[12], mixed[8] = { 0 };
	if (read(0, in, sizeof in) != sizeof in)
		return 1;
	union view v;
	memcpy(&v, in, 4);
	if (v.word == 0x64636261 + 1)
		puts("word");
	if (v.half[1] >> 8 == 'D' || v.parts.rest[2] < 0)
		puts("half");
	v.word = in[4] | in[5] << 8 | 0xff0000u;
	if (v.byte[1] == 'f' && v.byte[2] == 0xff)
		puts("byte");
	uint32_t *middle = (uint32_t *)(mixed + 3);
	uint32_t value = in[6] * 0x01010101u;
	memcpy(middle, &value, 4);
	mixed[4] = 'z';
	memcpy(&value, mixed + 2, 4);
	if (value == 0)
		puts("middle");
	v.f = in[8];
	if (v.byte[3] == 0x42 && v.half[0] == 0)
		puts("float");
	uint64_t big = 0;
	((uint8_t *)&big)[6] = in[10];
	big += 1ull << 48;
	if (((uint16_t *)&big)[3] == 'K')
		puts("big");
	_Bool flag = in[11] & 1;
	mixed[flag] = 9;
	printf("%08x %d %d %lx\n", v.word, mixed[5], mixed[0], (unsigned long)big);
	return 0;
}
