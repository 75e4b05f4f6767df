/* tandem-weave: the instrumenter as a program, tandem-cc's second step. A process of its own, since a crash of LLVM must not take tandem-cc's clean-up
 * with it; a program of its own, since LLVM takes longer to be loaded than most of what else tandem-cc does, and its allocator can only be chosen
 * before it starts (driver.c). */
#include "compile/compile.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct unit_options options = {0};
	struct err err = {0};
	bool understood = argc >= 3;
	for (int i = 3; i < argc; i++)
		understood &= options_take(&options, argv[i]);
	if (!understood) {
		fputs("tandem-weave: usage: tandem-weave RAW.bc WOVEN.bc [OPTION...]; it is called by tandem-cc\n", stderr);
		return 1;
	}
	if (compile_bitcode(argv[1], argv[2], options, &err))
		return 0;
	fprintf(stderr, "tandem-cc: %s\n", err.text);
	return 6;
}
