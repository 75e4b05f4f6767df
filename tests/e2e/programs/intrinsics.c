// Machine instructions that reach memory behind the compiler's back: what they read is lost and says so, what they write is
// forgotten.
// cc: -O2 -mavx2
// cc: -O0 -mavx2
// tandem: trace @
// stdin: dbacfehgzyxwvutabcdefghijklmnopqr
// expect: lost +memory given .*stdin\[3\]
// expect: lost +memory given .*stdin\[9\]
// expect: lost +memory given .*stdin\[17\]
// never: taken .*stdin
#include <immintrin.h>
#include <stdio.h>

static int from[32], to[32];

__attribute__((noinline)) static void gather(void)
{
	__m256i index = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
	_mm256_storeu_si256((__m256i *)to, _mm256_i32gather_epi32(from, index, 4));
}

__attribute__((noinline)) static void masked(void)
{
	__m256i all = _mm256_set1_epi32(-1);
	_mm256_maskstore_epi32(to + 8, all, _mm256_maskload_epi32(from + 8, all));
}

__attribute__((noinline)) static void unaligned(void)
{
	_mm_storeu_si128((__m128i *)(to + 16), _mm_lddqu_si128((__m128i *)(from + 16)));
}

/* Far from everything else. */
static char state[8192];

int main(void)
{
	unsigned char in[33];
	if (fread(in, 1, 33, stdin) != 33) return 1;
	for (int i = 0; i < 8; i++) from[i] = in[i];
	gather();
	if (to[3] == 'c') puts("gather");
	for (int i = 8; i < 16; i++) from[i] = in[i];
	masked();
	if (to[9] == 'y') puts("masked");
	for (int i = 16; i < 24; i++) from[i] = in[i];
	unaligned();
	if (to[17] == 'c') puts("unaligned");
	char *save = (char *)(((unsigned long)state + 4095) & ~4095ul);
	save[24] = in[1];
	_fxsave(save);
	if (save[24] != 'b') puts("overwritten");
	return 0;
}
