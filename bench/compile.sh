#!/bin/bash
# How much longer a build takes: CPU time of compiling the C files of sed (sed/
# and lib/) and of expat (lib/) with `$CC -O2 -g -c` against the same commands
# with clang-19. The bar is 3.5x. Links and configure are left out; the make CPU
# in tests/suites/builds.sh has them.
#
#   bench/compile.sh [--rounds 3] [--jobs 2]
#
# The commands are those make printed when the reference build was made (kept
# below $cache/builds), with only the compiler, the level and the output
# replaced. Minimum of the rounds, the two compilers taking turns. Exit 1 above
# the bar or if a file does not compile.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

rounds=3 jobs=2 bar=3.5
while [ $# -gt 0 ]; do
    case $1 in
    --rounds) rounds=$(value_of "$@"); shift ;;
    --jobs)   jobs=$(value_of "$@"); shift ;;
    *) die "unknown option '$1'" ;;
    esac
    shift
done
need_tool "$REFERENCE"
need_tool "$CC" "CC"
work=$cache/compile

# commands PACKAGE REGEX: one compile command per source whose path in the
# package matches, from make's output, as `"$COMPILER" flags -O2 -g -c`. Libtool
# compiles twice (PIC and not); the first command of each source is taken.
# Dependency output is dropped.
commands() {
    awk -v reference="$REFERENCE" -v root="$(package_dir "$1" reference)" -v wanted="$2" '
        BEGIN { here = root }
        /: Entering directory / { here = $NF; gsub(/\047/, "", here); next }
        { sub(/^libtool: compile: +/, "") }
        index($0, reference " ") != 1 || !/ -c / { next }
        {
            sub(/ *&& *(\\|mv .*)$/, ""); sub(/ *>.*/, "")
            gsub(/`test -f [^`]*`/, "")     # automake: `test -f x.c || echo ./`x.c
            line = "\"$COMPILER\""; source = ""
            for (i = 2; i <= NF; i++) {
                if ($i ~ /^-(MT|MF|o)$/) { i++; continue }
                if ($i ~ /^-(MD|MP|c|g.*|O.)$/) continue
                if ($i ~ /\.c$/) source = $i
                line = line " " $i
            }
            path = substr(here, length(root) + 2) "/" source
            sub(/^\//, "", path)
            if (source == "" || path !~ wanted || seen[path]++) next
            print "cd " here " && " line " -O2 -g -c -o \"$OUT\" || exit 1"
        }' "$(package_dir "$1" reference).make.log"
}

# group NAME PACKAGE REGEX
group() {
    commands "$2" "$3" > "$work/$1.commands"
    [ -s "$work/$1.commands" ] || die "no compile commands found for $1"
    : > "$work/$1.times"
    for ((round = 0; round < rounds; round++)); do
        once "$1" "$REFERENCE" clang && once "$1" "$CC" tandem || return 1
    done
    row "$1"
}

once() {
    COMPILER=$2 OUT=$work/out.o "$cputime" -o "$work/cpu" sh "$work/$1.commands" > "$work/$1.$3.log" 2>&1 ||
        { echo "FAIL $1: does not compile with $2, see $work/$1.$3.log"; return 1; }
    echo "$3 $(cat "$work/cpu")" >> "$work/$1.times"
}

row() {
    awk -v name="$1" -v bar=$bar -v files="$(wc -l < "$work/$1.commands")" '
        !($1 in min) || $2 < min[$1] { min[$1] = $2 }
        END {
            r = min["tandem"] / min["clang"]
            printf "%-10s %5d %9.3f %9.3f   %6.2fx %4.1fx  %s\n", name, files,
                min["clang"], min["tandem"], r, bar, (r > bar ? "over" : "ok")
            exit r > bar
        }' "$work/$1.times"
}

mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
cputime_build
for name in sed expat; do package_build $name reference "$jobs" || exit 1; done

printf '%-10s %5s %9s %9s   %7s %5s\n' "" files clang-s ours-s ratio bar
status=0
group sed sed '^(sed|lib)/' || status=1
group expat-lib expat '^expat/lib/' || status=1
exit $status
