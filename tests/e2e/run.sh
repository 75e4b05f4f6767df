#!/bin/bash
# End to end: each program of programs/ says in its own comments how it is built and run and what its trace must show.
#
#   // cc: FLAGS          flags of both compilers; more than one such line: built and tested once with each
#   // before: COMMAND    run before the build, with $CC, $FLAGS and $here (the folder of the program)
#   // tandem: trace ...  how to run it; @ is the program, the rest its arguments. `trace` is given --verify
#   // stdin: TEXT        as printf %b takes it; none: empty
#   // file: NAME TEXT    a file it finds; // env: NAME=VALUE a variable (tests/given.sh)
#   // expect: REGEX      a line of the trace (or of what `explore` prints) matches, after that of the `expect:` before
#   // never: REGEX       no line matches
#   // predict: no        conditions need not foretell other runs (threads, time)
#
# Checked for each: output and status are those of the program built with plain clang-19, traced or not; the trace agrees with
# itself, also with nothing and with all initialised globals symbolic; the expected lines are there; a test case recorded from it replays to the same path and output; the conditions foretell the branches of other inputs (tandem predict).
#
#   tests/e2e/run.sh [PROGRAM.c...]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
group=e2e

# shellcheck source=tests/given.sh
. "$here/../given.sh"

# --- one program -------------------------------------------------------------

field() { sed -n "s|^// $1: \{0,1\}||p" "$source"; }
die() { echo "$*"; exit 1; }
bounded() { timeout -k 2 30 "$@"; }

# The words of a line of the program, with @ replaced.
words() { local line=${1//@/$2}; eval "set -- $line"; printf '%s\n' "$@"; }

# arguments_of PROGRAM: `arguments` are the words behind it.
arguments_of() {
    mapfile -t arguments < <(words "$command" "$1")
    while [ "${#arguments[@]}" -gt 0 ] && [ "${arguments[0]}" != "$1" ]; do arguments=("${arguments[@]:1}"); done
    arguments=("${arguments[@]:1}")
}

# Matches the patterns in order, each after the line of the one before.
expect_in_order() {
    awk -v patterns="$1" '
        BEGIN { n = i = 0; while ((getline p < patterns) > 0) want[n++] = p }
        i < n && $0 ~ want[i] { i++ }
        END { if (i < n) { print "not in the trace (after " i " lines that were): " want[i]; exit 1 } }' "$2"
}

build() { # COMPILER OUTPUT FLAGS
    local CC=$1 FLAGS=$3 before
    before=$(field before)
    eval "$before" || die "before failed: $before"
    eval "set -- \"\$1\" \"\$2\" $3"
    local out=$2
    shift 2
    "$CC" -w -I"$include" "$source" -o "$out" "$@" || die "$CC does not build it ($FLAGS)"
}

same_as_plain() { # WHAT OUTPUT STATUS
    [ "$3" = "$plain" ] || die "$1: status $3 instead of $plain ($flags)$(head -c 600 err)"
    cmp -s plain.out "$2" || die "$1: other output ($flags)
$(diff plain.out "$2" | head -n 8)"
}

trace() {
    local run
    mapfile -t run < <(words "$command" ./traced)
    given_lay
    bounded "$TANDEM" trace --verify "${given_options[@]}" "${run[@]:1}" < stdin > trace.all 2> err
    local status=$?
    sed '/^--- trace of /,$d' trace.all > traced.out
    sed -n '/^--- trace of /,$p' trace.all > trace
    same_as_plain "traced" traced.out "$status"
    grep -q 'terms dropped because' trace && die "terms were dropped ($flags)"
    return 0
}

# The other two modes: nothing symbolic; all initialised globals symbolic, each term compared with its value.
other_modes() {
    local run mode
    mapfile -t run < <(words "$command" ./traced)
    for mode in --nothing-symbolic --globals; do
        given_lay
        bounded "$TANDEM" trace --verify --quiet $mode "${given_options[@]}" "${run[@]:1}" < stdin > mode.out 2> err
        same_as_plain "traced $mode" mode.out $?
    done
}

predict() {
    local arguments
    arguments_of ./traced
    given_lay
    bounded "$TANDEM" predict --pairs "${PAIRS:-20}" --stdin-file stdin "${given_options[@]}" ./traced -- "${arguments[@]}" > predicted 2>&1 ||
        die "predict ($flags): $(head -n 7 predicted | cut -c 1-220)"
}

# A test case recorded from it takes the same path once more, and the plain build does the same on it.
test_case() {
    local arguments
    arguments_of ./traced
    given_lay
    bounded env "${given_env[@]}" "$TANDEM" record "${given_names[@]}" -o case.tcase ./traced "${arguments[@]}" < stdin > recorded.out 2> err
    same_as_plain "recorded" recorded.out $?
    case "$(field predict) $command" in no*|*--go-on*) return ;; esac # another path each time; a traced run ends earlier
    bounded "$TANDEM" replay --quiet --update case.tcase > replayed 2>&1
    grep -q '^path ' case.tcase || die "replay --update ($flags): $(cat replayed)"
    bounded "$TANDEM" replay --quiet --path --expect case.tcase > replayed 2>&1 || die "replay ($flags): $(cat replayed)"
    [ -n "$(field before)" ] && return # the library that is there is the instrumented one
    bounded "$TANDEM" replay --quiet --expect case.tcase -- ./plain > replayed 2>&1 || die "replay on the plain build ($flags): $(cat replayed)"
}

one_build() {
    local arguments
    build "$REFERENCE" ./plain "$flags -DPLAIN"
    arguments_of ./plain
    given_lay
    bounded env "${given_env[@]}" ./plain "${arguments[@]}" < stdin > plain.out 2> plain.err
    plain=$?
    build "$TANDEM_CC" ./traced "$flags"
    given_lay
    bounded env "${given_env[@]}" ./traced "${arguments[@]}" < stdin > native.out 2> err
    same_as_plain "not traced" native.out $?
    trace
    said=$(expect_in_order expect trace) || die "$said" "($flags) $(head -n 12 trace | cut -c 1-160)"
    while read -r pattern; do grep -E -- "$pattern" trace && die "must not be in the trace: $pattern"; done < never
    other_modes
    test_case
    [ "$(field predict)" = no ] || predict
}

one_explore() {
    local run
    build "$TANDEM_CC" ./traced "$flags"
    mapfile -t run < <(words "$command" ./traced)
    rm -rf found # of the flags before
    bounded "$TANDEM" "${run[0]}" "${given_options[@]}" "${run[@]:1}" < /dev/null > trace 2>&1
    echo "status $?" >> trace
    said=$(expect_in_order expect trace) || die "$said" "$(head -n 12 trace | cut -c 1-160)"
}

one() {
    source=$1 here=$(dirname "$1") include=$(cd "${TANDEM%/*}/../include" 2>/dev/null && pwd || echo "$ROOT/runtime")
    cd "$2" || exit 2
    ulimit -c 0
    command=$(field tandem)
    field expect > expect
    field never > never
    printf '%b' "$(field stdin)" > stdin
    given_read "$source"
    [ -s expect ] && [ -n "$command" ] || die "it says not how to run it or what to expect"
    field cc > flags
    [ -s flags ] || echo > flags
    while read -r flags <&3; do
        case $command in
        explore*) one_explore ;;
        *) one_build ;;
        esac
    done 3< flags
}

if [ "${1:-}" = one ]; then
    one "$2" "$3"
    exit 0
fi

# --- all of them -------------------------------------------------------------

# shellcheck source=tests/lib.sh
. "$here/../lib.sh"
each "$here/run.sh" "$@"
# The scripts, $JOBS at a time; the longest first.
if [ $# = 0 ]; then
    names=""
    for script in "$here"/{transparent,small,why,campaign,findings}.sh "$here"/*.sh; do
        name=$(basename "$script" .sh)
        [[ $name = run || " $names " = *" $name "* ]] && continue
        if is_known "$name"; then skip "$name" "known to fail"; else names="$names $name"; fi
    done
    # shellcheck disable=SC2016,SC2086
    printf '%s\0' $names | xargs -0 -P "$JOBS" -I{} sh -c '"$1/$2.sh" > "$3/$2.said" 2>&1; echo $? > "$3/$2.status"' sh "$here" {} "$work"
    for name in $names; do
        if [ "$(cat "$work/$name.status" 2> /dev/null)" = 0 ]; then pass; else fail "$name" "$(cat "$work/$name.said")"; fi
    done
fi
finish
