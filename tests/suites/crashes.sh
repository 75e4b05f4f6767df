#!/bin/bash
# Crashes of Debian's programs that were found and repaired, put back by crashes/BUG.sed, each of which says what it is and who says so: does tandem unit find them, and at what cost?
#
#   tests/suites/crashes.sh [--time 20] [--jobs 1] [--keep DIR] [--no-confirm] [--again] [BUG...] [-- OPTION...]
#
#   --time S      for each function; tested are the one that crashes, and its neighbours (below)
#   --keep DIR    everything is there ($cache/crashes): BUG.json with the bug, PACKAGE.FUNCTIONS.json without, the sources, programs, system tests and sessions
#   --no-confirm  do not build with ASan to see whether the bug is one
#   --again       what was found the last time is told again, and nothing is tested (after a run with the same --keep)
#   OPTION        of tandem unit: --no-filter, --tau=0.5, ...
#
# System tests are some runs of the program as it is, recorded here. The functions are tested in the program with the bug, and in the program as it is. A row for each bug:
#   class, place  what is expected; as: what it is told as, which is another overflow if another kind of object stands for that of the program
#   found         what an alarm there says of the callers: seen (one fails so), possible, no-context, no-call, undecided; dropped: there is a failure, but the filter says nobody can call it so; -: there is none
#   runs          unit tests until then, of the function in which it was
#                 With a * if the same is found in the program as it is: then it says nothing, and does not count
#   other         alarms that are kept in these functions besides; as it is: alarms that are kept in them without the bug
#   seconds       for these functions with the bug
#   confirmed     whether crashes/BUG.tcase, an input of the whole program, crashes the one with the bug that is built with ASan, and not the one without
# A line NOT CONFIRMED, or FAIL, and exit 1 if a bug is none or something does not build or run; a bug that is not found is a row as any other.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# bug              program        source              crashes in                     class                         at a line with            tested besides
bugs='
gzip-lzw           gzip           unlzw.c             unlzw                          global-overflow               input(inbuf               -
gzip-lzh-length    gzip           unlzh.c             make_table                     stack-overflow                count\[bitlen             read_pt_len,read_c_len
gzip-lzh-table     gzip           unlzh.c             make_table                     global-overflow               table\[i\]=ch             read_pt_len,read_c_len
gzip-pack          gzip           unpack.c            unpack.c:build_tree            global-underflow              prefixp=                  read_tree,unpack
sed-lines          sed            sed/regexp.c        match_regex                    heap-overflow                 memchr                    do_subst
sed-reference      sed            sed/execute.c       append_replacement             heap-overflow                 \[i\]                     do_subst
tree-xml           tree           xml.c               xml_close                      null                          file->tag                 xml_printfile,xml_newline
tree-freed         tree           list.c              listdir                        use-after-free                dir\[n\]                 emit_tree
lua-getlocal       lua            src/ldebug.c        lua_getlocal                   wild                          setobjs2s                 findvararg,luaG_findlocal,db_getlocal
find-debug         find           find/util.c         process_debug_options          null                          strtok_r                  process_leading_options
jansson-pack       pack           src/pack_unpack.c   next_token                     heap-overflow                 \*t                       read_string,pack_object
yaml-key           run-parser     src/scanner.c       yaml_parser_save_simple_key    assert                        assert                    yaml_parser_fetch_value,yaml_parser_fetch_flow_scalar
yaml-uri           run-parser     src/scanner.c       yaml_parser_scan_uri_escapes   heap-overflow                 =octet                    yaml_parser_scan_tag_uri
cjson-comment      json           cJSON.c             skip_multiline_comment         heap-overflow                 (\*input)\[               skip_oneline_comment,minify_string,cJSON_Minify
cjson-string       json           cJSON.c             parse_string                   heap-overflow                 input_end                 parse_value,cJSON_ParseWithLengthOpts
'
# program     package     where make leaves it
programs='
gzip          gzip        gzip
sed           sed         sed/sed
tree          tree        tree
lua           lua         src/lua
find          findutils   find/find
pack          jansson     pack
run-parser    libyaml     run-parser
json          cjson       json
'
field() { awk -v bug="$1" -v n="$2" '$1 == bug { print $n }' <<< "$bugs"; }
program_field() { awk -v name="$1" -v n="$2" '$1 == name { print $n }' <<< "$programs"; }

seconds=20 jobs=1 keep='' again='' confirm=yes names='' options=()
while [ $# -gt 0 ]; do
    case $1 in
    --time)       seconds=$(value_of "$@"); shift ;;
    --jobs)       jobs=$(value_of "$@"); shift ;;
    --keep)       keep=$(value_of "$@"); shift ;;
    --no-confirm) confirm='' ;;
    --again)      again=yes ;;
    --)           shift; options=("$@"); break ;;
    *)  [ -n "$(field "$1" 1)" ] || die "unknown argument '$1' (known bugs: $(awk '{ print $1 }' <<< "$bugs" | xargs))"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-$(awk '{ print $1 }' <<< "$bugs")}
need_tool "$CC" CC
need_tool jq
export ASAN_OPTIONS=detect_leaks=0
work=${keep:-$cache/crashes}
mkdir -p "$work"
work=$(cd "$work" && pwd)

# --- system tests -----------------------------------------------------------

# record N ARGUMENT...: one run of the program, in a directory of its own, standard input as given.
record() {
    local n=$1
    shift
    (cd "$work/$program.dir" && "$TANDEM" record -o "$work/$program.tests/$n.tcase" "$work/recording/$program" "$@" > /dev/null 2>&1) || true
}

# Its own formats, and three others that it reads: each a few bytes.
record_gzip() {
    local n=0 text
    for text in '' '-1' '-9' '-nv' '-l' '-h' '-V' '-t' '-L'; do
        n=$((n + 1))
        seq 600 | record $n $text -c
    done
    seq 3000 | gzip -9 | record d -dc
    seq 3000 | gzip -9 | head -c 100 | record short -dc || true
    seq 3000 | gzip -9 > "$work/gzip.dir/a.gz" && record list -l a.gz < /dev/null
    record test -tv a.gz < /dev/null
    while IFS= read -r text; do
        n=$((n + 1))
        printf -- "$text" | record $n -dc
    done << 'END'
\037\235\220\141\304\004\034\070\006
\037\235\220\141\304\004\004\010\000\000\000\000\170\362\350\001
\037\235\220\141
\037\240\000\003\000\000\006\020\000\000\000\000\000\000\000
\037\240\000\004\040\004\046\061\067\000\140\000\000\000\000\000\000
\037\240\000\003\040\004\060\021\066\105\100\030\000\000\000\000\000\000
\037\036\000\000\000\003\002\001\000\141\142\224
\037\036\000\000\000\003\000\001\000\141\142\242
\037\036\000\000\000\003\002\003\000\141\142\242
END
}

record_sed() {
    local n=0 script
    while IFS= read -r script; do
        n=$((n + 1))
        printf 'one two\nthree\nfour one\n\nlast\n' | record $n $script
        printf 'x' | record "$n-x" $script
    done << 'END'
p
-n 2p
s/o/0/g
s/o/[&]/2
s/\(o\)\(n\)/\2\1/
-E s/(o|e)+$/<\U\1\E>/
N;s/$/!/m
N;N;s/^/>/mg
N;s/$/x/2m
s/^//
s/e*/-/g
/one/!d
$!N;P;D
1,3{/three/q}
y/abc/xyz/
-s -e 1i\text -e 2a\more
/t/s//T/
-z s/\n/,/g
-n /f/{=;p}
s/x/\l\u&y/I
h;G;s/\n/ /
:a;s/o/0/;ta
END
}

record_tree() {
    local n=0 options
    mkdir -p "$work/tree.dir"/{one/two/three,four}
    touch "$work/tree.dir/one/a.c" "$work/tree.dir/one/two/b.txt" "$work/tree.dir/four/.hidden"
    ln -sf ../one "$work/tree.dir/four/link"
    set -f
    for options in . -a -d "-L 2" -f -l "-P *.c" "-I one" -s -h -p "-pugs" -D -F -q -N -r -t "--dirsfirst" -n -C -X "-X -d" "-X one four" -J "-H base" -i --du "--prune -P *.c" "--filelimit 1" "one four" "-f one/ four" \
        "--noreport" "no-such" "-S" "-Q" "--help" "--version" "-x -v" "--sort=size"; do
        n=$((n + 1))
        record $n $options < /dev/null
    done
    set +f
}

record_lua() {
    local n=0 text
    while IFS= read -r text; do
        n=$((n + 1))
        printf '%s\n' "$text" | record $n -
    done << 'END'
print(1 + 2, "a" .. "b", #"abc")
local function f(a, ...) return debug.getlocal(1, 1) end print(f(1, 2))
local function f(a, ...) return debug.getlocal(1, -1) end print(f(1, 2))
local function f(a, ...) return debug.getlocal(1, -3) end print(f(1, 2))
print(debug.getlocal(1, 1), debug.getlocal(print, 1), debug.getlocal(function(x) end, 1))
local x = 1; local function f() local n, v = debug.getlocal(2, 1); print(n, v) end f()
print(pcall(debug.getlocal, 99, 1))
for i = 1, 10 do io.write(i, " ") end print(string.format("%5.2f|%s", 1.5, {} ~= nil))
local t = {} for i = 1, 20 do t[i] = i * i end table.sort(t, function(a, b) return a > b end) print(t[1], table.concat(t, ","))
print(pcall(error, { 1 }), select("#", 1, 2), string.rep("x", 3))
local t = setmetatable({}, { __index = function(t, k) return k .. "!" end }) print(t.a)
local co = coroutine.wrap(function(...) coroutine.yield(debug.getlocal(1, -1)) end) print(co(5))
print(string.find("hello", "l+"), ("x"):byte(), math.maxinteger // 2)
x = = 1
END
}

record_find() {
    local n=0 options
    mkdir -p "$work/find.dir/a/b"
    touch "$work/find.dir/a/one" "$work/find.dir/a/b/two"
    set -f
    for options in "" a "-H a" "-L a" "-P a" "-O3 a" "-D tree a" "-D stat,search a" "-D help" "-D nonsense a" "-O2 -D rates a" "-- a" "a -name o*" "a -type f -print" "a -maxdepth 1" "a -size -2k" "a -newer a/one" "a -printf %p\\n" "--version" "a -nonsense" \
        "-O9x" "-O" "a -empty -o -name t*" "no-such"; do
        n=$((n + 1))
        record $n $options < /dev/null
    done
    set +f
}

record_pack() {
    local n=0 format
    for format in s '[ss]' '{s:s}' '{s:s, s:[ss]}' '{}' '[]' n '[n, n]' '{s:n}' 's+s' '{s+:s}' 's?' '{s:s?}' '{s:s*}' x '[s' '{s:s' '{s' ']' '{s:x}' 's]' '[ s , s ]'; do
        n=$((n + 1))
        record $n "$format" one two three four < /dev/null
    done
}

record_run-parser() {
    local n=0 text
    while IFS= read -r text; do
        n=$((n + 1))
        printf -- "$text" > "$work/run-parser.dir/$n.yaml"
        record $n $n.yaml < /dev/null
    done << 'END'
a: 1\nb: [x, y]\nc: {d: e}\n
- one\n- two\n-\n  - three\n
%%YAML 1.1\n%%TAG ! tag:example.com,2000:\n---\n!foo a\n...\n
key: "double \\x41 \\u00e4"\nother: 'single'\n
|\n literal\n text\n
>-\n folded\n\n text\n
? complex\n: value\n
&a x: *a\n
!<tag:yaml.org,2002:str> a\n
!<%%61%%C3%%A4> a\n
!a%%20b c\n
plain over\n  two lines\n
"quoted\n  over two lines": no\n
[a, b\n
a: b: c\n
# comment\n\n- x # more\n
%%TAG !e! tag:a%%2Cb:\n--- !e!x y\n
"\\q"\n
END
}

record_json() {
    local n=0 text
    while IFS= read -r text; do
        n=$((n + 1))
        printf -- "$text" > "$work/json.dir/$n.json"
        record $n print $n.json < /dev/null
        record "$n-minify" minify $n.json < /dev/null
        record "$n-prefix" prefix $n.json 9 < /dev/null
    done << 'END'
{"a": 1, "b": [true, false, null], "c": {"d": "e"}}
[1, 2.5, -3e10, "x\\n\\u00e4\\ud834\\udd1e"]
"text"
[1, /* comment */ 2] // end\n
{"a": "quote \\" /* no */ //"}
[1,
{"a" 1}
"unfinished
/**/ 1
[[[[]]]]
"bad \\q"
END
}

# --- programs ------------------------------------------------------------------

fail() { echo "FAIL $*"; status=1; }

# The program as it is, and its system tests, which are recorded once for a build, and under a name that nobody has later: they are taken for those of each program whose name ends so.
program_make() {
    local package path
    program=$1 package=$(program_field "$1" 2) path=$(program_field "$1" 3)
    package_build "$package" tested "$jobs" > "$work/$program.build.log" 2>&1 || return 1
    mkdir -p "$work/as-it-is" "$work/recording"
    cmp -s "$(package_dir "$package" tested)/$path" "$work/as-it-is/$program" || cp "$(package_dir "$package" tested)/$path" "$work/as-it-is/$program"
    [ ! "$work/$program.tests" -nt "$work/as-it-is/$program" ] || return 0
    rm -rf "$work/$program.tests" "$work/$program.dir"
    mkdir -p "$work/$program.tests" "$work/$program.dir"
    cp "$work/as-it-is/$program" "$work/recording"
    "record_$program" > /dev/null
    rm "$work/recording/$program"
    [ -n "$(ls "$work/$program.tests")" ]
}

# bug_make BUG ROLE: a copy of what was built, with the bug; the program is $work/BUG.ROLE/PROGRAM.
bug_make() {
    local bug=$1 role=$2 package path source dir
    package=$(program_field "$(field "$bug" 2)" 2) path=$(program_field "$(field "$bug" 2)" 3) source=$(field "$bug" 3) dir=$work/src/$1.$2
    package_build "$package" "$role" "$jobs" > "$work/$bug.$role.log" 2>&1 || return 1
    rm -rf "$dir"
    mkdir -p "$work/src"
    cp -a "$(package_dir "$package" "$role")" "$dir"
    sed -i -f "$suites/crashes/$bug.sed" "$dir/$source"
    ! cmp -s "$(package_dir "$package" "$role")/$source" "$dir/$source" || { echo "$bug.sed changes nothing" > "$work/$bug.$role.log"; return 1; }
    (cd "$dir" && package_make "$package" "$(compiler_of "$role")" "$jobs") > "$work/$bug.$role.log" 2>&1 || return 1
    ! cmp -s "$(package_dir "$package" "$role")/$path" "$dir/$path" || { echo "the program is the same" > "$work/$bug.$role.log"; return 1; }
    mkdir -p "$work/$bug.$role"
    cp "$dir/$path" "$work/$bug.$role/new"
    mv "$work/$bug.$role/new" "$work/$bug.$role/$(field "$bug" 2)" # somebody may be using it
}

# --- testing --------------------------------------------------------------------

# unit PROGRAM NAME FUNCTION...: what tandem unit says is in NAME.json.
unit() {
    local path=$1 name=$2 result=0 f functions=()
    shift 2
    [ -z "$again" ] || return 0
    for f in "$@"; do functions+=(--function "$f"); done
    rm -rf "$work/$name.unit"
    "$TANDEM" unit --json --all --no-progress --time "$seconds" -j "$jobs" --tests "$work/$program.tests" --out "$work/$name.unit" ${options[@]+"${options[@]}"} "${functions[@]}" "$path" > "$work/$name.json" 2> "$work/$name.err" || result=$?
    case $result in 0|5|10) ;; *) fail "$name: exit $result: $(tail -n 1 "$work/$name.err")"; return 1 ;; esac
    ! grep 'of the test cases' "$work/$name.err" | sed "s/^/NOTE $name: /"
}

# is_like EXPECTED CLASS: what is a local variable of the caller is a block of its own for the function alone.
is_like() {
    case $1 in
    *-overflow)  [[ $2 = *-overflow ]] ;;
    *-underflow) [[ $2 = *-underflow ]] ;;
    wild)        [[ $2 = wild || $2 = *flow || $2 = SIGSEGV ]] ;;
    *)           [[ $2 = "$1"* ]] ;;
    esac
}

# Lines "KEPT VERDICT CLASS RUN AT", apart by tabs, of the failures: AT is yes if it is the bug, by class, function and text of the line without blanks.
failures_of() {
    local json=$1 source=$2 function=${3##*:} text=$4 expected=$5 kept verdict class run place at line
    jq -r '.alarms[] | [.kept, .verdict, .class, .run, .place] | map(tostring) | join("\t")' "$json" | while IFS=$'\t' read -r kept verdict class run place; do
        at=no
        line=${place##*/} line=${line#*:} line=${line%%:*}
        ! is_like "$expected" "$class" || [[ $place != "$function at "*"${source##*/}:"* ]] || ! sed -n "${line}p" "$source" | tr -d ' \t' | grep -q -- "$text" || at=yes
        printf '%s\t%s\t%s\t%s\t%s\n' "$kept" "$verdict" "$class" "$run" "$at"
    done
}

# Of the failures at the place the one with the best verdict.
best_of() {
    awk -F '\t' 'BEGIN { n = split("seen possible no-context no-call undecided unfiltered dropped", order, " "); for (i = 1; i <= n; i++) rank[order[i]] = i; best = 99 }
        $5 == "yes" && rank[$2] < best { best = rank[$2]; line = $2 "\t" $3 "\t" $4 }
        END { print best < 99 ? line : "-\t-\t-" }' "$1"
}

confirmed() {
    local bug=$1 case=$suites/crashes/$1.tcase base
    [ -n "$confirm" ] || { echo '-'; return; }
    bug_make "$bug" asan || { echo "no build"; return; }
    base=$(package_dir "$(program_field "$program" 2)" asan)/$(program_field "$program" 3)
    "$TANDEM" replay "$case" -- "$work/$bug.asan/$program" > "$work/$bug.crash" 2>&1 || true
    "$TANDEM" replay "$case" -- "$base" > "$work/$bug.no-crash" 2>&1 || true
    if grep -q 'Sanitizer\|signal' "$work/$bug.no-crash"; then echo "as it is too"
    else sed -n 's/.*ERROR: AddressSanitizer:* \([a-zA-Z-]*\).*/\1/p; s/.*Assertion .* failed.*/assertion/p' "$work/$bug.crash" | head -n 1 | grep . || echo no; fi
}

test_bug() {
    local bug=$1 functions base where verdict class run other kept truth took same
    where=$(field "$bug" 4) where=${where##*:}
    program_make "$(field "$bug" 2)" || { fail "$bug: $(tail -n 1 "$work/$program.build.log")"; return; }
    bug_make "$bug" tested || { fail "$bug: does not build: $(tail -n 1 "$work/$bug.tested.log")"; return; }
    functions="$(field "$bug" 4) $(field "$bug" 7 | tr -d - | tr , ' ')"
    base=$program.$(echo $functions | tr ' :' '++')
    unit "$work/$bug.tested/$program" "$bug" $functions || return 0
    [[ " $bases " = *" $base "* ]] || unit "$work/as-it-is/$program" "$base" $functions || return 0
    bases="$bases $base"
    failures_of "$work/$bug.json" "$work/src/$bug.tested/$(field "$bug" 3)" "$(field "$bug" 4)" "$(field "$bug" 6)" "$(field "$bug" 5)" > "$work/$bug.failures"
    failures_of "$work/$base.json" "$(package_dir "$(program_field "$program" 2)" tested)/$(field "$bug" 3)" "$(field "$bug" 4)" "$(field "$bug" 6)" "$(field "$bug" 5)" > "$work/$base.failures"
    IFS=$'\t' read -r verdict class run < <(best_of "$work/$bug.failures")
    other=$(awk -F '\t' '$1 == "true" && $5 == "no"' "$work/$bug.failures" | wc -l)
    kept=$(awk -F '\t' '$1 == "true"' "$work/$base.failures" | wc -l)
    same=true.*yes
    [ "$verdict" != dropped ] || same=yes
    ! grep -q "$same\$" "$work/$base.failures" || verdict="$verdict*"
    took=$(jq -r '.seconds | floor' "$work/$bug.json")
    truth=$(confirmed "$bug")
    case $truth in no|"as it is too"|"no build") echo "NOT CONFIRMED $bug: $truth"; status=1 ;; esac
    printf '%-16s %-17s %-30s %-11s %-20s %7s %6s %8s %8s  %s\n' "$bug" "$(field "$bug" 5)" "$where" "$verdict" "$class" "$run" "$other" "$kept" "$took" "$truth" | tee -a "$work/rows" >&2
}

status=0 bases=''
: > "$work/rows"
for bug in $names; do test_bug "$bug"; done
printf '%-16s %-17s %-30s %-11s %-20s %7s %6s %8s %8s  %s\n' bug class place found as runs other as-it-is seconds confirmed
cat "$work/rows"
awk '{ n++; other += $7; is += $8; found += $4 !~ /^(-|dropped)$|\*/; dropped += $4 == "dropped" }
    END { printf "%d of %d found, %d more fail in the function alone and are dropped; %d other alarms; %d in the same functions as they are\n", found, n, dropped, other, is }' "$work/rows"
exit $status
