// A program without main: LLVMFuzzerTestOneInput is called with what standard input holds, in a block of just that size.
// cc:
// cc: -fsanitize=fuzzer
// tandem: explore --time 20 --out found @
// expect: ^bug: heap-overflow in LLVMFuzzerTestOneInput .*stdin = "FUZ."
// expect: ^status 10$
#include <stddef.h>
#include <stdint.h>

static int ready;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argv;
	ready = *argc;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (ready && size > 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z' && data[3] == data[4])
		return 1;
	return 0;
}
