#!/bin/bash
# The catalogue of memory bugs: every program of tests/memory/programs says in
# its first lines which bug it has, which arguments are harmless and which
# trigger it, and whether ASan+UBSan and valgrind notice. This script checks
# that all of that is true, with clang-19 and valgrind alone: what Tandem is
# compared with has to be right first.
#
#   tests/suites/catalogue.sh [--jobs 2] [NAME...]
#
# A program is built plainly at -O0 and -O2, with ASan+UBSan and for valgrind.
# The good run must be clean in all four. The bad run is made only under the
# two tools, for without them it may do anything. For `bug: none` it must be as
# clean as the good one. A report counts only if it names the line marked BUG:
# valgrind often sees no more than a consequence of the bug some lines later.
# A crash by SIGSEGV, SIGBUS or SIGFPE counts as a report, since both tools
# print where it was; abort() does not, since the program itself told.
#
# Prints `NAME REASON` for each thing that is wrong, then the classes with the
# number of programs and how many ASan+UBSan and valgrind find, and last
#   catalogue: N programs, M wrong
# Exit 1 if anything is wrong. What the tools said: $cache/catalogue/NAME.*
set -euo pipefail
. "$(dirname "$0")/lib.sh"

jobs=2
names=()
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$(value_of "$@"); shift ;;
    -*) die "unknown option '$1'" ;;
    *) names+=("$1") ;;
    esac
    shift
done
need_tool "$REFERENCE"
need_tool valgrind

programs=$ROOT/tests/memory/programs
work=$cache/catalogue
ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v llvm-symbolizer-19 || true)}
ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1
export programs work ASAN_SYMBOLIZER_PATH ASAN_OPTIONS
builds="O0 O2 asan valgrind"
classes="argument-overflow argument-underflow heap-overflow heap-underflow
    stack-overflow stack-underflow global-overflow global-underflow
    environment-overflow member-overflow member-underflow mapping-overflow
    use-after-free use-after-return use-after-scope null-dereference
    read-only-write double-free invalid-free division-by-zero division-overflow
    shift-out-of-range allocation-overflow assertion memory-leak
    uninitialised-read signed-overflow none"
export builds classes

# --- one program ------------------------------------------------------------

header() { sed -n "/^\/\//!q; s|^// $2: \{0,1\}||p" "$programs/$1.c"; }

wrong() { echo "$1 ${*:2}" >> "$work/wrong"; }

flags_of() {
    case $1 in
    O0) echo "-O0" ;;
    O2) echo "-O2" ;;
    asan) echo "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
    valgrind) echo "-O0 -gdwarf-4" ;;
    esac
}

build_all() {
    local name=$1 build
    for build in $builds; do
        bounded 60 64 "$REFERENCE" -std=c17 -D_GNU_SOURCE -Wall -Werror $(flags_of "$build") \
            "$programs/$name.c" -o "$work/$name.$build" > "$work/$name.$build.log" 2>&1 ||
            { wrong "$name" "does not compile ($build)"; return 1; }
    done
}

# run NAME BUILD good|bad: the status is the program's, the tool's words are in
# NAME.BUILD.SIDE. The arguments are shell words, standard input is printf %b.
run() {
    local name=$1 build=$2 side=$3 said command
    said=$work/$name.$build.$side
    eval "command=(\"$work/$name.$build\" $(header "$name" "$side"))"
    [ "$build" != valgrind ] || command=(valgrind -q --error-exitcode=99 --leak-check=full
        --errors-for-leak-kinds=definite "--log-file=$said.log" "${command[@]}")
    printf %b "$(header "$name" "$side-stdin")" > "$said.in"
    bounded 20 64 "${command[@]}" < "$said.in" > "$said.out" 2> "$said"
    local status=$?
    [ "$build" != valgrind ] || mv "$said.log" "$said"
    return $status
}

check_clean() {
    local name=$1 side=$2 build status
    for build in $builds; do
        run "$name" "$build" "$side"
        status=$?
        [ $status = 0 ] || wrong "$name" "$side run has status $status ($build)"
        [ ! -s "$work/$name.$build.$side" ] || wrong "$name" "$side run is not clean ($build)"
    done
}

# has_report TOOL FILE: is there a report, rather than only what the program
# itself wrote before abort()?
has_report() {
    case $1 in
    asan) grep -q '^SUMMARY: .*Sanitizer' "$2" ;;
    valgrind) [ -s "$2" ] && ! grep -q '(SIGABRT)' "$2" ;;
    esac
}

check_bad() {
    local name=$1 line=$2 tool said says is
    for tool in asan valgrind; do
        run "$name" "$tool" bad
        [ $? != 124 ] || wrong "$name" "bad run takes too long ($tool)"
        said=$work/$name.$tool.bad
        says=$(header "$name" "$tool")
        is=no
        if has_report "$tool" "$said"; then
            if grep -qE "$name\.c:$line([:)]|$)" "$said"; then is=yes
            elif [ $tool = asan ]; then wrong "$name" "$tool does not name line $line"
            fi
        fi
        [ "$says" = $is ] || wrong "$name" "$tool: says '$says', is '$is'"
    done
}

check_header() {
    local name=$1 class=$2 marks=$3 want=1
    [[ " ${classes//$'\n'/ } " = *" $class "* ]] || wrong "$name" "unknown class '$class'"
    header "$name" access | grep -qE '^(read|write)( [0-9]+)?$|^free$|^none$' ||
        wrong "$name" "access is not understood"
    [ "$class" != none ] || want=0
    [ "$marks" = $want ] || wrong "$name" "$marks lines marked BUG, not $want"
}

check_one() {
    local name=$1 class line
    class=$(header "$name" bug)
    line=$(awk '/\/\* BUG \*\/$/ { print FNR }' "$programs/$name.c")
    check_header "$name" "$class" "$(grep -c '/\* BUG \*/$' "$programs/$name.c")"
    build_all "$name" || return 0
    check_clean "$name" good
    if [ "$class" = none ]; then check_clean "$name" bad; else check_bad "$name" "$line"; fi
    echo "$class $(header "$name" asan) $(header "$name" valgrind)" >> "$work/classes"
    for build in $builds; do rm -f "$work/$name.$build" "$work/$name.$build.log"; done
}
export -f header wrong flags_of build_all run check_clean has_report check_bad \
    check_header check_one

# --- all --------------------------------------------------------------------

table() {
    awk -v order="${classes//$'\n'/ }" '
        { n[$1]++; asan[$1] += $2 == "yes"; valgrind[$1] += $3 == "yes" }
        END {
            count = split(order, class, " ")
            row = "%-22s %8s %5s %8s\n"
            printf row, "class", "programs", "ASan", "valgrind"
            for (i = 1; i <= count; i++) {
                c = class[i]
                if (!n[c]) continue
                printf row, c, n[c], asan[c], valgrind[c]
                if (c == "none") continue
                all += n[c]; a += asan[c]; v += valgrind[c]
            }
            printf row, "all bugs", all + 0, a + 0, v + 0
        }' "$work/classes"
}

if [ ${#names[@]} = 0 ]; then
    for f in "$programs"/*.c; do names+=("$(basename "$f" .c)"); done
fi
for name in "${names[@]}"; do
    [ -f "$programs/$name.c" ] || die "no program '$name' in $programs"
done

mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
find "$work" -mindepth 1 ! -name lock -delete
: > "$work/wrong"
: > "$work/classes"
printf '%s\n' "${names[@]}" | in_parallel "$jobs" check_one
sort "$work/wrong"
table
bad=$(awk '{ print $1 }' "$work/wrong" | sort -u | wc -l)
echo "catalogue: ${#names[@]} programs, $bad wrong"
[ "$bad" = 0 ]
