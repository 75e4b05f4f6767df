#!/bin/bash
# A debugger with a program of ours: GDB understands its sections, and who stops at the line of a function stops in the version that runs.
# The native one has it inlined, so that only the traced versions had a line to begin at. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

cat > stops.c <<'C'
#include <stdio.h>
#include <string.h>

static int
count(const char *text,
      char wanted)
{
# if LATER
	puts("never");
# endif

	int n = 0;
	for (const char *p = strchr(text, wanted); p; p = strchr(p + 1, wanted))
		n++;
	return n;
}

__attribute__((noinline)) int count_all(int argc, char **argv)
{
	int all = 0;
	for (int i = 1; i < argc; i++)
		all += count(argv[i], 'a') * i + printf("%s\n", argv[i]) * (all & 7);
	for (int i = argc; i > 1; i--)
		all = all * 3 + printf("%d %s %d %s\n", i, argv[i - 1], all, argv[argc - i + 1]) % 5;
	for (int i = 1; i < argc; i++)
		all ^= printf("%d %s %d\n", i, argv[i], all) << (all & 3);
	return all;
}

int main(int argc, char **argv) { return count_all(argc, argv) & 1; }
C
for flags in "-g" "-g -O2"; do
    # shellcheck disable=SC2086
    "$cc" $flags stops.c -o stops || failures=1
    readelf -SW stops | grep -q '\.debug_names' && { echo "debugger: $flags: an index of names that linkers do not join"; failures=1; }
    type -P gdb > /dev/null || continue
    timeout 60 gdb -nx --batch --eval-command='break stops.c:5' --eval-command='run banana' --eval-command='info line' ./stops > said 2>&1 < /dev/null
    grep -q '^Breakpoint 1.*count' said || { echo "debugger: $flags: it does not stop in count: $(cat said)"; failures=1; }
    grep -i 'warning: Section' said && failures=1
done

[ "$failures" = 0 ] && echo "debugger: ok"
[ "$failures" = 0 ]
