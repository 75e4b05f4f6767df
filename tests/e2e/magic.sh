#!/bin/bash
# The README's first promise: `tandem explore` finds five magic bytes and the
# crash behind them within a few runs, compared one by one or by memcmp, and the
# command it prints replays the crash.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "magic: $*"; failures=$((failures + 1)); }

cat > bytes.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int c[5];
	for (int i = 0; i < 5; i++)
		c[i] = getchar();
	if (c[0] == 'm')
		if (c[1] == 'a')
			if (c[2] == 'g')
				if (c[3] == 'i')
					if (c[4] == 'c')
						abort();
	return 0;
}
C
cat > block.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	char buffer[5];
	if (read(0, buffer, sizeof buffer) != sizeof buffer)
		return 1;
	if (memcmp(buffer, "magic", 5) == 0)
		abort();
	return 0;
}
C
cat > argument.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'x' && argv[1][2] == 'y' && argv[1][3] == '\0')
		abort();
	return 0;
}
C

# check PROGRAM MOST_RUNS [ARGUMENT...]: explores from five bytes of stdin.
check() {
    local name=$1 most=$2 status runs
    shift 2
    "$tandem" cc "$name.c" -o "$name" || { fail "$name does not build"; return; }
    for seed in 1 2 3; do
        rm -rf "out.$name"
        "$tandem" explore --stdin 5 --seed "$seed" --time 30 --out "out.$name" "./$name" "$@" > "$name.txt" 2> "$name.err"
        status=$?
        [ "$status" = 10 ] || { fail "$name, seed $seed: status $status instead of 10: $(cat "$name.txt" "$name.err")"; continue; }
        runs=$(sed -n 's/^bug: SIGABRT after \([0-9]*\) runs.*/\1/p' "$name.txt")
        [ -n "$runs" ] && [ "$runs" -le "$most" ] || fail "$name, seed $seed: ${runs:-no} runs, at most $most wanted"
    done
    (ulimit -c 0; eval "$(sed -n 's/^  replay: //p' "$name.txt")") 2> /dev/null
    [ $? = 10 ] || fail "$name: the replay command does not crash"
}

check bytes 10
check block 10
check argument 12 seed

# Two explorations with one seed are the same.
"$tandem" explore --stdin 5 --seed 7 ./bytes 2>&1 | sed 's/ in .*runs\/s)//' > first
rm -rf tandem-out
"$tandem" explore --stdin 5 --seed 7 ./bytes 2>&1 | sed 's/ in .*runs\/s)//' > second
cmp -s first second || fail "the same seed gave another exploration"

[ "$failures" = 0 ] && echo "magic: ok"
[ "$failures" = 0 ]
