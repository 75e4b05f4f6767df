#!/bin/bash
# tandem unit on real programs, with their own suites as system tests.
#
#   tests/suites/unit.sh [--time 20] [--jobs 2] [--keep DIR] [--sample 30] [NAME...] [-- OPTION...]
#                        tree gzip sed xmlwf grep
#
#   --time S     for each function
#   --sample N   of the alarms that are kept so many, drawn at random (always the same ones), are written to NAME.sample, to be looked at
#   --keep DIR   everything is there ($cache/unit): NAME.json, the directory of the session, which a further run goes on with if nothing was changed, and the recorded suite
#   OPTION       of tandem unit: --no-filter, --unit=alone, --no-ranges, ...
#
# tree has no suite, and xmlwf's wants files that are not part of it: they run on directories and documents made here, with the options that their manuals begin with. Printed:
#   functions    with a driver, and without; no test: of those with one, how many no system test reaches
#   tests        unit tests; how many in a second of exploring; most: milliseconds until the first was over, at worst
#   branches     sides of branches: all, in per cent those that system tests take, and those that they and unit tests take
#   alarms       before the filter, and after
# A line CRASH for each function that brought the tool down; then exit 1.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/checks.sh"
. "$suites/programs.sh"

seconds=20 jobs=2 keep='' sample=30 names='' options=()
everything="tree gzip sed xmlwf grep"
while [ $# -gt 0 ]; do
    case $1 in
    --time)   seconds=$(value_of "$@"); shift ;;
    --jobs)   jobs=$(value_of "$@"); shift ;;
    --keep)   keep=$(value_of "$@"); shift ;;
    --sample) sample=$(value_of "$@"); shift ;;
    --)       shift; options=("$@"); break ;;
    *)        [[ " $everything " = *" $1 "* ]] || die "unknown argument '$1' (known programs: $everything)"
              names="$names $1" ;;
    esac
    shift
done
need_tool "$CC" CC
need_tool jq
work=${keep:-$cache/unit}
mkdir -p "$work"
work=$(cd "$work" && pwd)
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # each run has its files made anew

# --- system tests -----------------------------------------------------------

# record NAME N ARGUMENT...: one run of the program, in the current directory, standard input as given.
record() {
    local name=$1 n=$2
    shift 2
    "$TANDEM" record -o "$work/$name.tests/$n.tcase" "$work/$name" "$@" > /dev/null 2>&1 || true
}

record_tree() {
    local n=0 options
    mkdir -p "$work/tree.dir"/{one/two/three,four}
    touch "$work/tree.dir/one/a.c" "$work/tree.dir/one/two/b.txt" "$work/tree.dir/four/.hidden"
    ln -sf ../one "$work/tree.dir/four/link"
    for options in . -a -d "-L 2" -f -l "-P *.c" "-I one" -s -h -p "-pugs" -D -F -q -N -r -t "--dirsfirst" -n -C -X -J "-H base" -i "-o out" "--du" "--prune -P *.c" "--filelimit 1" \
        "--matchdirs -P one" "--noreport" "--inodes --device" "-S" "-Q" "--charset latin1" "--help" "--version" "no-such" "--fromfile list" "-x -v" "--sort=size" "--timefmt %Y -D" "--info"; do
        n=$((n + 1))
        (cd "$work/tree.dir" && printf 'a/b\na/c\nd\n' > list && set -f && record tree $n $options < /dev/null)
    done
}

record_xmlwf() {
    local n=0 text
    mkdir -p "$work/xmlwf.dir"
    while IFS= read -r text; do
        n=$((n + 1))
        printf "$text" > "$work/xmlwf.dir/$n.xml"
        (cd "$work/xmlwf.dir" && record xmlwf $n $n.xml < /dev/null && record xmlwf "$n-d" -d . $n.xml < /dev/null; record xmlwf "$n-n" -n -m -d . $n.xml < /dev/null)
    done << 'END'
<a/>
<?xml version="1.0" encoding="UTF-8"?><a b="c">text<!-- no --><d e='f'/></a>
<!DOCTYPE a [<!ELEMENT a (#PCDATA|b)*><!ATTLIST a x CDATA #IMPLIED y (p|q) "p"><!ENTITY e "value">]><a x="1">&e;&amp;&#65;</a>
<a><![CDATA[<&>]]><?target data?></a>
<a></b>
<a x="1" x="2"/>
<!DOCTYPE a SYSTEM "no.dtd"><a/>
<a xmlns="http://x" xmlns:p="http://y"><p:b p:c="d"/></a>
<!DOCTYPE a [<!ENTITY %% p "<!ELEMENT a ANY>"> %%p; <!NOTATION n PUBLIC "x"><!ENTITY u SYSTEM "u" NDATA n>]><a/>
\376\377\000<\000a\000/\000>
<?xml version="1.0" encoding="ISO-8859-1"?><a>\344</a>
<a>&undefined;</a>
END
}

# Recorded once for a build.
record_suite() {
    local name=$1 package=$2
    [ ! "$work/$name.tests" -nt "$work/$name" ] || return 0
    rm -rf "$work/$name.tests"
    mkdir -p "$work/$name.tests"
    if declare -F "record_$name" > /dev/null; then
        "record_$name"
        return
    fi
    under="$TANDEM check --record-only --out $work/$name.recorded --"
    rm -rf "$work/$name.recorded"
    package_check "$package" "$(package_dir "$package" tested)" > "$work/$name.suite.log" 2>&1 || true
    [ -d "$work/$name.recorded/recordings" ] || die "$name: nothing was recorded, see $work/$name.suite.log"
    find "$work/$name.recorded/recordings" -name "$name-*.tcase" -exec cp {} "$work/$name.tests" \;
}

# --- testing ----------------------------------------------------------------

sample_of() {
    jq -c '.alarms[] | select(.kept)' "$work/$1.json" | awk 'BEGIN { srand(1) } { print rand() "\t" $0 }' | sort -n | cut -f 2 | head -n "$sample" |
        jq -r '[.class, .place, .verdict, "input: " + .input, "context: " + .context] | join("\n  ")' > "$work/$1.sample"
}

row() {
    jq -r --arg name "$1" --arg load "$(cut -d ' ' -f 1 /proc/loadavg)" '
        def points(x): if .sides > 0 then 100 * x / .sides else 0 end;
        [$name, (.tests // 0), .tested, .untested, .unreached, .runs, (if .exploring > 0 then .runs / .exploring else 0 end), 1000 * .start, .sides, points(.covered_by_tests // 0), points(.covered),
         ([.classes[].before] | add // 0), ([.classes[].after] | add // 0), .seconds, $load] | map(tostring) | join(" ")' "$work/$1.json" |
        awk '{ printf "%-8s %6d %9d %7d %8d %9d %8.1f %7.0f %7d %6.1f %6.1f %7d %7d %8.0f  %s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 }'
}

test_program() {
    local name=$1 package result=0
    package=$(awk -v name="$name" '$1 == name { print $2 }' <<< "$programs")
    program_build "$name" tested "$jobs" > "$work/$name.build.log" 2>&1 || { echo "FAIL $name: does not build, see $work/$name.build.log"; return 1; }
    cmp -s "$work/$name.tested" "$work/$name" || cp "$work/$name.tested" "$work/$name"
    record_suite "$name" "$package"
    "$TANDEM" unit --json --all --resume --time "$seconds" -j "$jobs" --tests "$work/$name.tests" --out "$work/$name.unit" ${options[@]+"${options[@]}"} "$work/$name" > "$work/$name.json" 2> "$work/$name.err" || result=$?
    case $result in 0|5|10) ;; *) echo "FAIL $name: exit $result: $(tail -n 1 "$work/$name.err")"; return 1 ;; esac
    jq -r --arg name "$name" '.functions[] | select(.trouble) | "NOT TESTED \($name) \(.function) at \(.file):\(.line): \(.trouble)"' "$work/$name.json"
    ! jq -e '.functions[] | select((.trouble // "") | startswith("tandem was ended"))' "$work/$name.json" > /dev/null || { echo "CRASH $name"; result=1; }
    sample_of "$name"
    row "$name" >> "$work/table"
    [ "$result" != 1 ]
}

printf '%-8s %6s %9s %7s %8s %9s %8s %7s %7s %6s %6s %7s %7s %8s  %s\n' program tests functions without no-test runs runs/s most-ms sides tests% units% before after seconds load > "$work/table"
status=0
for name in ${names:-$everything}; do
    test_program "$name" || status=1
done
cat "$work/table"
exit $status
