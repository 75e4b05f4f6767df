#!/bin/bash
# GCC's execute torture suite: 1,700 small programs, each a construct that some
# compiler once got wrong; each exits 0 if it was compiled rightly. They ask of
# tandem-cc whether it changes what a program means, and of the traced modes
# whether the runtime's terms agree with the machine.
#
#   tests/suites/torture.sh [--mode plain|traced|globals|all] [--jobs 2]
#                           [--limit N] [--only REGEX] [--opt -O2]
#
# Judged are the programs that pass with clang-19 at -O0 and at -O2 (the
# baseline; cached per program, so the first run takes minutes longer). Those
# of them that do not pass with $CC are printed, one line per mode:
#   FAIL NAME MODE REASON       (logs: $cache/torture/failures/NAME.MODE.log)
# and then `torture MODE: P passed, F failed of N`. Exit 1 if anything failed.
#
# Variables: CC; TRACE_CMD and GLOBALS_CMD run `$TRACE_CMD PROGRAM` and exit as
# the program did, 70 if verification found a mismatch; TRACE_SECONDS (60).
# torture.exceptions lists known failures; they are run and shown, not counted.
#
# Nothing is skipped for its dg-require lines: what clang or this machine lacks
# (nested functions, decimal floats) fails in the baseline by itself.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

mode=all jobs=2 limit="" only=. opt=-O2
while [ $# -gt 0 ]; do
    case $1 in
    --mode)  mode=$(value_of "$@"); shift ;;
    --jobs)  jobs=$(value_of "$@"); shift ;;
    --limit) limit=$(value_of "$@"); shift ;;
    --only)  only=$(value_of "$@"); shift ;;
    --opt)   opt=$(value_of "$@"); shift ;;
    *) die "unknown option '$1'" ;;
    esac
    shift
done
modes=$(modes_of "$mode")
need_tool "$REFERENCE"
need_tool "$CC" "CC"

src=$cache/src/torture
work=$cache/torture
# Old programs: what GCC 12 only warns about must not be an error here.
flags="-w -std=gnu17 -fno-strict-aliasing
    -Wno-implicit-int -Wno-implicit-function-declaration -Wno-int-conversion
    -Wno-incompatible-function-pointer-types -Wno-return-mismatch"
export src work modes opt flags

# --- the list of programs, with the options each asks for -------------------

program_names() {
    (cd "$src" && find . -maxdepth 2 -name '*.c' ! -name '*-lib.c' ! -path './builtins/lib/*') |
        sed 's|^\./||; s|\.c$||' | sort
}

# Options from dg-options lines, without those meant for other targets.
wanted_options() {
    sed -n 's/.*{ *dg-\(additional-\)\{0,1\}options *{* *"\([^"]*\)"\(.*\)/\2 @\3/p' "$src/$1.c" |
        awk -F' @' '
            /target/ && ($2 !~ /x86_64|target fpic/ || $2 ~ /ia32/) { next }
            { printf "%s ", $1 }'
}

# GCC's own optimiser switches are unknown to clang; they choose no semantics.
option_known() { "$REFERENCE" -w "$1" -x c -c /dev/null -o /dev/null 2>/dev/null; }

manifest_make() {
    local name option
    declare -A known
    program_names | while read -r name; do
        printf '%s' "$name"
        for option in $(wanted_options "$name"); do
            [ -n "${known[$option]:-}" ] ||
                if option_known "$option"; then known[$option]=yes; else known[$option]=no; fi
            [ "${known[$option]}" = no ] || printf ' %s' "$option"
        done
        echo
    done
}

# --- one program ------------------------------------------------------------

# compile COMPILER OPT NAME OUT. The options come after the level: some ask for
# their own. The builtins programs bring their own versions of libc functions
# and a common main.
compile() {
    local compiler=$1 level=$2 name=$3 out=$4 sources=$src/$3.c
    case $name in builtins/*) sources="$sources $src/$name-lib.c $src/builtins/lib/main.c" ;; esac
    bounded 120 1024 "$compiler" $flags "$level" \
        $(awk -v n="$name" '$1 == n { $1 = ""; print }' "$work/manifest") \
        $sources -o "$out" -lm
}

baseline_verdict() {
    local name=$1 dir=$2 level
    for level in -O0 -O2; do
        compile "$REFERENCE" $level "$name" "$dir/prog" > /dev/null 2>&1 ||
            { echo "no: does not build at $level"; return; }
        (cd "$dir" && bounded 10 64 ./prog) > /dev/null 2>&1 < /dev/null ||
            { echo "no: $(reason_of $?) at $level"; return; }
    done
    echo yes
}

baseline_one() {
    local dir
    dir=$(mktemp -d "$work/run.XXXXXX")
    echo "$1 $(baseline_verdict "$1" "$dir")" >> "$work/baseline"
    rm -rf "$dir"
}

verdict_write() { echo "$1 $2 ${*:3}" >> "$work/results"; }

test_one() {
    local name=$1 dir mode status log
    log=$work/failures/${1//\//_}
    dir=$(mktemp -d "$work/run.XXXXXX")
    if ! compile "$CC" "$opt" "$name" "$dir/prog" > "$log.compile.log" 2>&1 < /dev/null; then
        for mode in $modes; do verdict_write "$name" "$mode" FAIL "compile error"; done
        rm -rf "$dir"
        return
    fi
    rm -f "$log.compile.log"
    for mode in $modes; do
        status=0
        (cd "$dir" && run_mode "$mode" 10 ./prog) > "$log.$mode.log" 2>&1 < /dev/null || status=$?
        if [ $status = 0 ]; then
            verdict_write "$name" "$mode" PASS
            rm -f "$log.$mode.log"
        else
            verdict_write "$name" "$mode" FAIL "$(reason_of $status)"
        fi
    done
    rm -rf "$dir"
}
export -f compile baseline_verdict baseline_one verdict_write test_one

# --- all of them ------------------------------------------------------------

# The baseline is known per program; it starts anew with another clang.
baseline_update() {
    local key
    key="$("$REFERENCE" --version | awk 'NR == 1') $flags"
    if [ "$(cat "$work/baseline.key" 2>/dev/null)" != "$key" ]; then
        rm -f "$work/baseline"
        manifest_make > "$work/manifest.tmp"
        mv "$work/manifest.tmp" "$work/manifest"
        echo "$key" > "$work/baseline.key"
    fi
    touch "$work/baseline"
    awk '{ print $1 }' "$work/manifest" | { grep -E -- "$only" || true; } |
        awk 'FILENAME != "-" { done[$1]; next } !($1 in done)' "$work/baseline" - |
        in_parallel "$jobs" baseline_one
}

summary() {
    awk -v m="$1" '
        FILENAME ~ /exceptions$/ { if ($1 != "" && $1 !~ /^#/) excepted[$1] = 1; next }
        $2 != m { next }
        $3 == "PASS" { pass++; if ($1 in excepted) print "note: exception " $1 " passes (" m ")" }
        $3 == "FAIL" {
            why = $0; sub(/^[^ ]+ [^ ]+ FAIL /, "", why)
            if ($1 in excepted) { known++; print "EXCEPTED", $1, m, why }
            else { fail++; print "FAIL", $1, m, why }
        }
        END {
            printf "torture %s: %d passed, %d failed of %d", m, pass, fail, pass + fail + known
            if (known) printf " (%d excepted)", known
            print ""
            exit fail > 0
        }' "$suites/torture.exceptions" "$work/results"
}

"$suites/fetch.sh" torture
mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
[ "$(grep -cv '^#' "$suites/torture.exceptions" || true)" -le 5 ] ||
    die "more than 5 exceptions in torture.exceptions"

baseline_update
rm -rf "$work"/run.* "$work/failures"
mkdir -p "$work/failures"
: > "$work/results"
grep ' yes$' "$work/baseline" | awk '{ print $1 }' | grep -E -- "$only" | sort |
    head -n "${limit:-100000}" > "$work/selected" || true
[ -s "$work/selected" ] || die "no program of the baseline matches '$only'"
in_parallel "$jobs" test_one < "$work/selected"
sort -o "$work/results" "$work/results"

status=0
for m in $modes; do summary "$m" || status=1; done
exit $status
