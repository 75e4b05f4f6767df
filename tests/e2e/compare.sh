#!/bin/bash
# A comparison of strings is one condition: from any string that is long enough, one flip leads to the one that is compared with. By branches, as
# the model can be told to for this test, it is one flip per byte.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
TANDEM=${TANDEM:-$here/../../build/bin/tandem}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > program.c << 'END'
#include <stdio.h>
#include <string.h>
#include <strings.h>

extern unsigned __td_compare_by_branches __attribute__((weak));

int main(int argc, char **argv)
{
	char s[16];
	(void)argv;
#ifdef BRANCHES
	__td_compare_by_branches = 1;
#endif
	if (fread(s, 1, 15, stdin) != 15)
		return 1;
	s[15] = 0;
	if (COMPARE == 0)
		return argc > 0 ? *(volatile int *)NULL : 0;
	return 0;
}
END

# runs FLAGS...: how many until the null pointer is reached.
runs() {
    "${TANDEM%/*}/tandem-cc" -O2 "$@" program.c -o program
    rm -rf found
    { "$TANDEM" explore --stdin 15 --time 25 --out found ./program || true; } | sed -n 's/^bug: null-dereference.* after \([0-9]*\) runs.*/\1/p'
}

for call in 'strcmp(s, "secret-word!")' 'strcmp("secret-word!", s)' 'strncmp(s, "secret-words", 12)' 'strcasecmp(s, "Secret-Word!")' 'memcmp(s, "secret-word!", 12)'; do
    n=$(runs -DCOMPARE="$call")
    [ -n "$n" ] && [ "$n" -le 5 ] || { echo "$call: ${n:-not found} runs"; exit 1; }
done
n=$(runs -DCOMPARE='strcmp(s, "secret-word!")' -DBRANCHES)
[ -n "$n" ] && [ "$n" -ge 12 ] || { echo "by branches: ${n:-not found} runs"; exit 1; }
