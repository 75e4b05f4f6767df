#!/bin/bash
# What it costs a suite to be recorded: many runs of a small program by a shell, which is the worst case, since a run is over before it has begun. Wall time of three: the program built by plain clang-19 -O2, by
# tandem-cc, and the latter under `tandem check --record-only`; the best of each, and ratios.
#
#   bench/recording.sh [--runs 1000] [--rounds 3]
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

runs=1000 rounds=3
while [ $# -gt 0 ]; do
    case $1 in
    --runs)   runs=$(value_of "$@"); shift ;;
    --rounds) rounds=$(value_of "$@"); shift ;;
    *) die "unknown argument '$1'" ;;
    esac
    shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > upper.c <<'C'
#include <ctype.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
	for (int c; f && (c = getc(f)) != EOF;)
		putchar(toupper(c));
	return !f;
}
C
"$REFERENCE" -O2 upper.c -o plain
"$CC" -O2 upper.c -o instrumented
echo "some text" > in.txt
# Half of the runs read a pipe, half a file.
printf 'i=0; while [ $i -lt %d ]; do echo "$i" | ./$1 > /dev/null; ./$1 in.txt > /dev/null; i=$((i + 1)); done\n' $((runs / 2)) > suite.sh

# best NAME COMMAND...: the shortest of all rounds.
best() {
    local name=$1 k start end
    shift
    for ((k = 0; k < rounds; k++)); do
        rm -rf out
        start=$(date +%s.%N)
        "$@" > /dev/null 2>&1
        end=$(date +%s.%N)
        echo "$start $end"
    done | awk -v name="$name" '{ t = $2 - $1; if (!n++ || t < least) least = t } END { print name, least }' >> times
}
best plain sh suite.sh plain
best instrumented sh suite.sh instrumented
best recorded "$TANDEM" check --record-only --out out -- sh suite.sh instrumented
awk -v runs="$runs" 'NR == 1 { base = $2 } { printf "%-13s %8.2f s  %6.2f ms a run  %5.2fx\n", $1, $2, 1000 * $2 / runs, $2 / base }' times
