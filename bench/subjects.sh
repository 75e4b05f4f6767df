#!/bin/bash
# Searches compared on the subjects that the literature on search heuristics uses: replace, tree-1.6.0, sed-1.17, grep-2.2,
# gawk-3.0.3 and expat-2.1.0 as the public repository kupl/ParaDySE has them, with their CREST_* marks and initial inputs. Per subject and search:
# branches covered after N executions (both sides of a branch count), executions per second, bugs, divergences.
#
#   bench/subjects.sh --from DIR [--n 1000] [--seeds 5] [--search LIST] [--keep] [--compare T] [--predict N] [NAME...]
#
#   --from DIR       the folder `benchmarks` of a checkout of that repository. Nothing of it is kept here: it is copied below $cache
#   --n LIST         executions, several with commas: 1000,4000
#   --seeds N[-M]    the seeds 1 to N, or N to M: mean, least and most are shown
#   --search LIST    searches with commas (default: the one that explore has by itself); FILE.theta: by the weights in that file
#   --keep           what each exploration printed stays below $cache/subjects/out
#   --compare T      instead: weights that were learnt for the subject (bench/weights) beside all other searches, T trials each of --n runs, and whether it is chance (tandem learn --compare);
#                    one that was broken off goes on
#   --predict N      instead: does a run foretell N others? (tandem predict)
#   NAME             replace tree sed grep gawk expat; default all
#
# What is given is what the original tool is given (README_ParaDySE and scripts/pgm_config there): the same arguments and files,
# which are not symbolic; marks, whose first values are those of the subject's .input file and behind its end those of glibc's
# unseeded rand(). So the subject's own main is called by one that knows the arguments, and crest.h is one that knows the first
# values; neither adds a branch. Files are named by where they are, as a run has a directory of its own; tree, which shows the
# current directory, is put into its copy, where it cannot write (-o), and has the variable TERM, as in any shell: without it a
# hundred branches about colours are out of reach. The subjects run in the sandbox: sed and gawk write files and
# start programs.
#
# CIL's total beside ours is of the original tool, both sides of every branch of the source as CIL simplifies it, without functions
# that are marked crest_skip. CIL makes a chain of comparisons of a switch, two sides for each case, where we count one side for each and the default.
# `chained` counts our coverage in that way, so it is what can be compared with figures of the original. There is no bar on time here; exit 1 only if something could not be run.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

from="" n=1000 seeds=5 searches=default keep="" predict="" compare="" names=""
known="replace tree sed grep gawk expat"
while [ $# -gt 0 ]; do
    case $1 in
    --from)    from=$(value_of "$@"); shift ;;
    --n)       n=$(value_of "$@"); shift ;;
    --seeds)   seeds=$(value_of "$@"); shift ;;
    --search)  searches=$(value_of "$@"); shift ;;
    --predict) predict=$(value_of "$@"); shift ;;
    --compare) compare=$(value_of "$@"); shift ;;
    --keep)    keep=yes ;;
    -*) die "unknown option '$1'" ;;
    *)  [[ " $known " = *" $1 "* ]] || die "no subject '$1' (known: $known)"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-$known}
# Explorations have a directory of their own.
given=$searches searches=""
for search in ${given//,/ }; do
    case $search in *.theta|*/*) search=$(realpath "$search") ;; esac
    searches="$searches $search"
done
case $seeds in
*-*) first=${seeds%-*} last=${seeds#*-} ;;
*)   first=1 last=$seeds ;;
esac
[ -n "$from" ] || die "--from DIR: where is the folder 'benchmarks' of kupl/ParaDySE?"
[ -d "$from/sed-1.17" ] || die "$from/sed-1.17 is not there"
need_tool "$CC" "CC"
need_tool jq
work=$cache/subjects

# --- the subjects -----------------------------------------------------------

# name     folder                    initial input    CIL's total
subjects='
replace    small_benchmarks/replace  replace.input    196
tree       tree-1.6.0                tree.input       1438
sed        sed-1.17                  sed.input        2656
grep       grep-2.2                  src/grep.input   3836
gawk       gawk-3.0.3                gawk.input       -
expat      expat-2.1.0/lib           expat.input      -
'
field() { awk -v name="$1" -v k="$2" '$1 == name { print $k }' <<< "$subjects"; }

# arguments_of NAME: sets `arguments`, the program's name first, and `directory`, empty if it does not matter.
arguments_of() {
    directory=""
    case $1 in
    replace) arguments=(./replace) ;;
    tree)    arguments=(./tree aaaaaaaaaa aaaaaaaaaa) directory=$work/tree ;;
    sed)     arguments=(./sed "-f$work/sed/tags" "$work"/sed/text_inputs/*) ;;
    grep)    arguments=(./grep aaaaaaaaaa /dev/null) ;;
    gawk)    arguments=(./gawk aaaaaaaaaa "$work"/gawk/text_inputs/*) ;;
    expat)   arguments=(./expat "$work/expat/example2.xml" 4430) ;;
    esac
}

# sources_of NAME: sets `sources` and `flags`, as the subject's makefile has them. grep.c has a static variable with the name of a
# parameter, which is renamed; gawk brings a crest.h of its own, which is not wanted; expat marks each of 4430 bytes, which is more
# marks than a run may have, so all of them are one.
sources_of() {
    flags=() sources=()
    case $1 in
    replace) sources=(replace.c) ;;
    sed)     sources=(sed.c) ;;
    tree)    sources=(tree.c unix.c html.c xml.c hash.c color.c)
             flags=(-DLINUX -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64) ;;
    grep)    sed -i '/^ssize_t fuzzread/,/^}/ { s/static count = 0/static int reads = 0/; s/count++/reads++/; s/(count <=/(reads <=/ }' src/grep.c
             sources=(src/{grep,dfa,kwset,obstack,getopt,getopt1,search,regex}.c)
             flags=(-DHAVE_CONFIG_H -Isrc -I. -DLOCALEDIR=\"/usr/share/locale\" -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64) ;;
    expat)   sed -i -e 's/CREST_char(tmp\[i\]);/tmp[i] = subject_first[subject_marks++ \& 8191];/' \
                 -e '/for(int i=0; i<len; i++){/,/return XML_ParseBuffer/ s/return XML_ParseBuffer/tandem_symbolic(tmp, (unsigned long)len, "tmp"); &/' xmlparse.c
             sources=({xmlparse,xmltok,xmlrole,elements}.c)
             flags=(-std=gnu99 -Wno-implicit-function-declaration -Wno-int-conversion -Wno-incompatible-function-pointer-types -DHAVE_EXPAT_CONFIG_H "-I$from/expat-2.1.0" -I. -include crest.h) ;;
    gawk)    rm -f crest.h
             sources=({array,builtin,eval,field,gawkmisc,io,main,missing,msg,node,re,version,awktab,getopt,getopt1,regex,dfa,random}.c)
             flags=(-DGAWK -I. -DHAVE_CONFIG_H -DDEFPATH=\".:/usr/local/share/awk\" -lm) ;;
    esac
}

# --- building ---------------------------------------------------------------

# The marks: each takes the next first value, then becomes symbolic.
write_marks() {
    cat << 'END'
extern const signed char subject_first[8192];
extern unsigned subject_marks;
void tandem_symbolic(void *, unsigned long, const char *);
#define CREST_char(x) ((x) = subject_first[subject_marks++ & 8191], tandem_symbolic(&(x), sizeof (x), #x))
#define CREST_unsigned_char(x) CREST_char(x)
END
}

# What rand() gives as characters to a program that has not called srand().
random_values() {
    [ -x "$work/random" ] || printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' \
        'int main(void) { for (int i = 0; i < 8192; i++) printf("%d\n", (signed char)rand()); return 0; }' |
        "$REFERENCE" -x c -o "$work/random" -
    "$work/random"
}

# write_start INPUT: the first values, and a main that calls the subject's own.
write_start() {
    local i=0 argument
    (cat "$1"; random_values) | awk '
        BEGIN { print "const signed char subject_first[8192] = {" }
        NR <= 8192 { print ($1 > 127 ? $1 - 256 : $1) "," }
        END { print "};\nunsigned subject_marks;" }'
    for argument in "${arguments[@]}"; do
        printf 'static char argument%d[] = "%s";\n' $i "$argument"
        i=$((i + 1))
    done
    printf 'int subject_main(int, char **, char **);\nint chdir(const char *);\nint setenv(const char *, const char *, int);\nextern char **environ;\n'
    printf 'int main(int argc, char **argv, char **env)\n{\n\tstatic char *arguments[] = { '
    for ((i = 0; i < ${#arguments[@]}; i++)); do printf 'argument%d, ' $i; done
    printf '0 };\n'
    [ -z "$directory" ] || printf '\tchdir("%s");\n\tsetenv("TERM", "xterm", 1);\n\tenv = environ;\n' "$directory"
    printf '\treturn subject_main(%d, arguments, env);\n}\n' ${#arguments[@]}
}

subject_fresh() {
    [ "$work/$1.bin" -nt "$0" ] && [ "$(cat "$work/$1.from" 2>/dev/null)" = "$CC $from" ] &&
        [ -z "$(find "$CC" "$(dirname "$CC")/../lib" -type f -newer "$work/$1.bin" -print -quit)" ]
}

# subject_build NAME: leaves it at $work/NAME.bin, its sources in $work/NAME.
subject_build() {
    local dir=$work/$1
    ! subject_fresh "$1" || return 0
    rm -rf "$dir" "$dir.bin"
    mkdir -p "$dir.include"
    cp -a "$from/$(field "$1" 2)" "$dir"
    write_marks > "$dir.include/crest.h"
    arguments_of "$1"
    write_start "$dir/$(field "$1" 3)" > "$dir.start.c"
    (cd "$dir" && sources_of "$1" &&
        "$CC" -O2 -g -w -c "$dir.start.c" -o "$dir.start.o" &&
        "$CC" -std=gnu89 -fcommon -w -O2 -g -I"$dir.include" -Dmain=subject_main "${sources[@]}" "$dir.start.o" "${flags[@]}" -o "$dir.bin.new") \
        > "$dir.build.log" 2>&1 || { echo "FAIL $1: does not build, see $dir.build.log"; return 1; }
    mv "$dir.bin.new" "$dir.bin"
    echo "$CC $from" > "$dir.from"
}

# --- measuring --------------------------------------------------------------

# figures FILE: `runs seconds covered total divergences bugs chained chained_total` of what an exploration printed.
figures() {
    jq -r '[.runs, .seconds, .branches_covered, .branches_total, .divergences, .bugs, .chained_seen, .chained] | join(" ")' "$1"
}

# explore_once NAME SEARCH EXECS SEED: appends its figures to $out/figures.
explore_once() {
    local log=$out/$1.${2##*/}.$3.$4 status=0 options=(--json --go-on)
    [ "$2" = default ] || options+=(--search "$2")
    rm -rf "$scratch/found"
    (cd "$scratch" && "$TANDEM" explore "${options[@]}" --time 0 --execs "$3" --seed "$4" --out "$scratch/found" "$work/$1.bin") \
        > "$log" 2> "$log.err" || status=$?
    case $status in
    0|5|10) figures "$log" >> "$out/figures" && return 0 ;;
    esac
    echo "FAIL $1 $2 seed $4: exit $status: $(tail -n 1 "$log.err")"
    return 1
}

row() {
    awk -v name="$1" -v search="$2" -v n="$3" -v cil="$(field "$1" 4)" '
        { runs += $1; seconds += $2; sum += $3; total = $4; divergences += $5; bugs += $6; chained += $7; sides = $8; k++ }
        k == 1 || $3 < least { least = $3 }
        k == 1 || $3 > most { most = $3 }
        $1 < n { short = 1 }
        END {
            if (!k) exit 1
            printf "%-9s %-14s %6d %9.1f %6d %6d %6.1f%% %6d %8.1f %6d %6s %8.1f %6.1f %8.1f%s\n", name, search, n, sum / k, least, most,
                100 * sum / k / (total ? total : 1), total, chained / k, sides, cil, runs / (seconds > 0.001 ? seconds : 0.001), bugs / k, divergences / k,
                short ? "  ended before " n " executions" : ""
        }' "$out/figures"
}

measure() {
    local search execs seed
    for execs in ${n//,/ }; do
        for search in $searches; do
            : > "$out/figures"
            for ((seed = first; seed <= last; seed++)); do
                explore_once "$1" "$search" "$execs" "$seed" || return 1
            done
            row "$1" "${search##*/}" "$execs"
        done
    done
}

beside_others() {
    echo "$1"
    (cd "$scratch" && "$TANDEM" learn --compare "$ROOT/bench/weights/$1.theta,auto,cfds,cgs,random,generational,dfs" -N "$n" --trials "$compare" --no-progress --dir "$work/$1.compared" "$work/$1.bin" < /dev/null)
}

foretell() {
    echo "$1: $(cd "$scratch" && "$TANDEM" predict --pairs "$predict" "$work/$1.bin" 2>&1 < /dev/null | tail -n 1)"
}

mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
scratch=$(mktemp -d) out=$work/out
trap 'rm -rf "$scratch"; [ -n "$keep" ] || rm -rf "$out"' EXIT
rm -rf "$out"
mkdir -p "$out"
status=0
[ -n "$predict$compare" ] ||
    printf '%-9s %-14s %6s %9s %6s %6s %7s %6s %8s %6s %6s %8s %6s %8s\n' "" search execs branches least most share total chained total CIL execs/s bugs diverged
for name in $names; do
    subject_build "$name" || { status=1; continue; }
    if [ -n "$predict" ]; then foretell "$name"; elif [ -n "$compare" ]; then beside_others "$name" || status=1; else measure "$name" || status=1; fi
done
exit $status
