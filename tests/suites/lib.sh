# shellcheck shell=bash
# What the suites and the benchmarks share: where things are, how a foreign
# program is run within bounds, how a package is built twice. To be sourced.
#
# Two compilers appear everywhere: the *reference* (clang-19, $REFERENCE) and
# the *tested* one ($CC, tandem-cc unless said otherwise). Everything made is
# below $cache, never in the checkout.
#
# Upstream's own test programs may run directly, but bounded. Inputs that we
# invented never run through this file: they belong in the sandbox of src/run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
REFERENCE=${REFERENCE:-clang-19}
CC=${CC:-$ROOT/build/bin/tandem-cc}
TANDEM=${TANDEM:-$ROOT/build/bin/tandem}
cache=${TANDEM_CACHE:-$HOME/.cache/tandem}
suites=$ROOT/tests/suites
export ROOT REFERENCE CC TANDEM cache suites
export LC_ALL=C

die() { echo "${0##*/}: $*" >&2; exit 2; }

need_tool() { command -v "$1" > /dev/null || die "$1 is not there${2:+ ($2)}"; }

# The value of an option, or a clear line when it is missing.
value_of() { [ $# -ge 2 ] || die "$1 needs a value"; printf '%s\n' "$2"; }

# --- running ----------------------------------------------------------------

# bounded SECONDS FILE_MIB COMMAND...: in a subshell with limits on time, file
# size, processes and no core file. A trace is a memory file, to which the file
# size limit applies as well, so traced runs ask for a larger one.
bounded() (
    local seconds=$1 mib=$2
    shift 2
    ulimit -c 0
    ulimit -f $((mib * 1024))
    ulimit -t $((seconds * 2 + 5))
    ulimit -u 4096 2>/dev/null || true
    exec timeout -k 2 "$seconds" "$@"
)

# What an exit status means when 0 was expected: our own commands answer 70 for
# a mismatch and 6 for an internal error; 124 and 137 come from timeout.
reason_of() {
    case $1 in
    70)      echo "mismatch" ;;
    124|137) echo "timeout" ;;
    6|126|127) echo "trace error (exit $1)" ;;
    *)       echo "wrong exit ($1)" ;;
    esac
}

# The command that runs a program in a mode; empty means directly.
TRACE_CMD=${TRACE_CMD-$TANDEM trace --verify}
GLOBALS_CMD=${GLOBALS_CMD-$TANDEM trace --verify --globals}
TRACE_SECONDS=${TRACE_SECONDS:-60}
TRACE_MIB=${TRACE_MIB:-16384}
export TRACE_CMD GLOBALS_CMD TRACE_SECONDS TRACE_MIB

# run_mode MODE SECONDS PROGRAM: the commands are split at blanks on purpose.
run_mode() {
    case $1 in
    plain)   bounded "$2" 64 "$3" ;;
    traced)  bounded "$TRACE_SECONDS" "$TRACE_MIB" $TRACE_CMD "$3" ;;
    globals) bounded "$TRACE_SECONDS" "$TRACE_MIB" $GLOBALS_CMD "$3" ;;
    esac
}

modes_of() {
    case $1 in
    all) echo plain traced globals ;;
    plain|traced|globals) echo "$1" ;;
    *) die "unknown mode '$1' (plain, traced, globals, all)" ;;
    esac
}

# in_parallel JOBS FUNCTION: calls FUNCTION once per line of stdin. A worker
# must not fail; it writes its verdict to a file opened for appending.
in_parallel() {
    xargs -r -d '\n' -P "$1" -n 1 bash -c 'set -uo pipefail; "$0" "$1"' "$2"
}
export -f bounded reason_of run_mode

# --- building ---------------------------------------------------------------

# CPU seconds (user + sys, descendants included) of a command, see cputime.c.
cputime_build() {
    mkdir -p "$cache/bin"
    cputime=$cache/bin/cputime
    [ "$cputime" -nt "$ROOT/bench/cputime.c" ] ||
        "$REFERENCE" -O2 -o "$cputime" "$ROOT/bench/cputime.c"
}

# What builds a role: three more are for measuring coverage (bench/coverage.sh) and for crashes (crashes.sh), each a script, as the flags have to win over a package's own.
compiler_of() { case $1 in reference) echo "$REFERENCE" ;; tested) echo "$CC" ;; *) echo "$cache/bin/$1-cc" ;; esac; }
compiler_make() {
    mkdir -p "$cache/bin"
    case $1 in
    gcov) printf '#!/bin/sh\nexec gcc "$@" --coverage -fprofile-update=atomic -O0\n' ;;
    asan) printf '#!/bin/sh\nexport ASAN_OPTIONS=detect_leaks=0\nexec %s "$@" -O1 -g -fsanitize=address\n' "$REFERENCE" ;;
    afl)  printf '#!/bin/sh\nAFL_QUIET=1 exec afl-clang-fast "$@"\n' ;;
    *)    return 0 ;;
    esac > "$cache/bin/$1-cc.$$"
    chmod +x "$cache/bin/$1-cc.$$"
    mv "$cache/bin/$1-cc.$$" "$cache/bin/$1-cc"
}
package_dir() { echo "$cache/builds/$1.$2"; }

# A build is reused if it was made by the same compiler and, for ours, neither
# it nor what it links into programs changed since.
build_fresh() {
    local stamp
    stamp=$(package_dir "$1" "$2").stamp
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(compiler_of "$2")" ] || return 1
    [ "$2" != tested ] || [ ! -d "$ROOT/build" ] ||
        [ -z "$(find "$ROOT/build/bin/tandem-cc" "$ROOT/build/lib" -type f -newer "$stamp" -print -quit)" ]
}

# sed-regex is sed with its own copy of the regex matcher compiled in. By
# default it uses libc's, which nobody instruments: then 84 % of the benchmark's
# time is spent in code that is the same in every variant. coreutils is cut
# alone, which is what is measured; coreutils-eight is what most
# of the measurements run; coreutils-many is what has tests of its own that
# ask nothing of the machine, coreutils-all everything.
source_of() { case $1 in sed-regex) echo sed ;; sqlite3-shell) echo sqlite3 ;; coreutils-*) echo coreutils ;; *) echo "$1" ;; esac; }

coreutils_many="base64 basename basenc cat cksum comm csplit cut date dirname echo env expand expr factor fmt fold
    getlimits head join ls md5sum mktemp nl numfmt od paste pr printf ptx readlink realpath seq sha1sum sha256sum shuf sort split stat sum tac tail tee
    test touch tr truncate tsort unexpand uniq wc"
coreutils_eight="cut expr getlimits md5sum paste printf seq sort tr"
export coreutils_many coreutils_eight

. "$suites/packages.sh"

# package_build NAME reference|tested|gcov|afl|asan JOBS: a fresh copy of the source,
# configured and made. Leaves NAME.ROLE.{configure,make}.log and .cpu beside
# the copy. Running as root, some configure scripts need to be told it is fine.
# Suites and benchmarks share the builds, hence the lock.
package_build() {
    mkdir -p "$cache/builds"
    (flock 7; package_build_locked "$@") 7> "$cache/builds/.$1.$2.lock"
}

package_build_locked() {
    local name=$1 role=$2 jobs=$3 dir compiler
    ! build_fresh "$name" "$role" || return 0
    "$suites/fetch.sh" "$(source_of "$name")"
    cputime_build
    dir=$(package_dir "$name" "$role")
    compiler=$(compiler_of "$role")
    compiler_make "$role"
    rm -rf "$dir" "$dir".*
    cp -a "$cache/src/$(source_of "$name")" "$dir"
    (cd "$dir" && FORCE_UNSAFE_CONFIGURE=1 package_configure "$name" "$compiler") \
        > "$dir.configure.log" 2>&1 || { echo "configure failed, see $dir.configure.log"; return 1; }
    (cd "$dir" && "$cputime" -o "$dir.cpu" \
        bash -c 'package_make "$@"' - "$name" "$compiler" "$jobs") \
        > "$dir.make.log" 2>&1 || { echo "make failed, see $dir.make.log"; return 1; }
    echo "$compiler" > "$dir.stamp"
}
