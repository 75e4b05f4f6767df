#!/bin/bash
# Names and keys of branches. The key of a branch is the same wherever its tree was checked out and whichever directory the compiler was
# called in; two files of a tree have different names and keys though their base names are the same. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "keys: $case: $*"; failures=$((failures + 1)); }
builds() { "$@" > "$dir/log" 2>&1 && [ ! -s "$dir/log" ] || fail "$*: $(head -n 5 "$dir/log")"; }

# A tree with two files of one name and with an inline function in a header.
tree() { # DIRECTORY MARK
    mkdir -p "$1/src/a" "$1/src/b" "$1/include"
    printf 'static inline int is_x(int c) { if (c == 88) return 1; return 0; }\n' > "$1/include/x.h"
    printf '#include "../../include/x.h"\nint a(int c) { if (c == 1) return 2; return is_x(c); }\n' > "$1/src/a/util.c"
    printf '#include "../../include/x.h"\nint b(int c) { if (c == 1) return 2; return is_x(c); }\n' > "$1/src/b/util.c"
    printf 'int a(int), b(int);\n#include <stdio.h>\nint main(void) { int c = getchar(); return a(c) + b(c); }\n' > "$1/src/main.c"
    [ -z "${2:-}" ] || mkdir "$1/$2"
}

# keys PROGRAM: key, file and function of each branch that is in its trace.
keys() {
    printf q | "$tandem" trace --json --all-branches "$1" 2> /dev/null |
        sed -n 's/.*"key":"\([0-9a-f]*\)","file":"\([^"]*\)","function":"\([^"]*\)".*/\1 \2 \3/p' | grep -v ' models/' | sort -u
    rm -f "$1" # the next one is built anew
}
wants() { # FILE EXPECTED-NAMES...
    local list=$1
    shift
    [ "$(cut -d' ' -f2,3 "$list" | sort -u | tr '\n' ';')" = "$*" ] || fail "names: $(tr '\n' ';' < "$list")"
    [ "$(cut -d' ' -f1 "$list" | sort -u | wc -l)" = 4 ] || fail "not four keys: $(tr '\n' ';' < "$list")"
}
all="include/x.h is_x;src/a/util.c a;src/b/util.c b;"

# The ways to build a tree in $1: each makes $1.PROGRAM.
at_top() { (cd "$1" && builds "$cc" src/main.c src/a/util.c src/b/util.c -o "$2"); }
at_top_absolute() { (cd "$1" && builds "$cc" "$PWD/src/main.c" "$PWD/src/a/../a/util.c" "./src//b/util.c" -o "$2"); }
inside() {
    (cd "$1/src/a" && builds "$cc" -c util.c)
    (cd "$1/src/b" && builds "$cc" -c util.c)
    (cd "$1/src" && builds "$cc" main.c a/util.o b/util.o -o "$2")
}
outside() {
    mkdir -p "$1/../out"
    (cd "$1/../out" && builds "$cc" -I. "$1/src/main.c" "$1/src/a/util.c" "$1/src/b/util.c" -o "$2")
}
preprocessed() {
    (cd "$1" && for f in a b; do "$cc" -E src/$f/util.c -o $f.i && builds "$cc" -c $f.i -o $f.o; done && builds "$cc" src/main.c a.o b.o -o "$2" && rm -f ./?.i ./?.o)
}

tree "$dir/one/checkout" .git
tree "$dir/two/somewhere/else" .git
for way in at_top at_top_absolute inside outside preprocessed; do
    case="two checkouts, built $way"
    $way "$dir/one/checkout" "$dir/program.1"
    $way "$dir/two/somewhere/else" "$dir/program.2"
    keys ./program.1 > keys.1
    keys ./program.2 > keys.2
    wants keys.1 "$all"
    cmp -s keys.1 keys.2 || fail "the checkouts differ: $(diff keys.1 keys.2)"
    [ -f keys ] || cp keys.1 keys
    cmp -s keys keys.1 || fail "built another way they differ: $(diff keys keys.1)"
done

case="an unpacked archive"
tree "$dir/archive" configure
inside "$dir/archive" "$dir/program.1"
keys ./program.1 > keys.1
cmp -s keys keys.1 || fail "differs: $(diff keys keys.1)"

case="no mark: the directory of the compilation"
tree "$dir/bare"
tree "$dir/bare.2/deeper"
at_top "$dir/bare" "$dir/program.1"
at_top "$dir/bare.2/deeper" "$dir/program.2"
keys ./program.1 > keys.1
keys ./program.2 > keys.2
cmp -s keys keys.1 && cmp -s keys keys.2 || fail "differ: $(diff keys.1 keys.2; diff keys keys.1)"

case="no mark, but told"
good=$cc
cc() { "$good" --tandem-root="$dir/bare" "$@"; }
cc=cc
inside "$dir/bare" "$dir/program.1"
keys ./program.1 > keys.1
cmp -s keys keys.1 || fail "differs: $(diff keys keys.1)"
cc=$good

# The same name as seen from two directories: each next to its own library.
case="../lib/x.c of two directories"
for d in left right; do
    mkdir -p tree/$d/lib tree/$d/build
    printf 'int %s(int c) { if (c == 3) return 1; return 0; }\n' $d > tree/$d/lib/x.c
    (cd tree/$d/build && builds "$cc" --tandem-root=../.. -c ../lib/x.c)
done
printf 'int left(int), right(int);\n#include <stdio.h>\nint main(void) { int c = getchar(); return left(c) + right(c); }\n' > tree/main.c
(cd tree && builds "$cc" main.c left/build/x.o right/build/x.o -o ../program.1)
keys ./program.1 > keys.1
[ "$(cut -d' ' -f2,3 keys.1 | sort | tr '\n' ';')" = "left/lib/x.c left;right/lib/x.c right;" ] || fail "names: $(cat keys.1)"

case="names that were asked for"
(cd one/checkout && builds "$cc" -ffile-prefix-map="$dir/one/checkout"=mapped src/main.c src/a/util.c src/b/util.c -o ../../program.1)
keys ./program.1 > keys.1
cut -d' ' -f1 keys > expected
cut -d' ' -f1 keys.1 | cmp -s - expected || fail "other keys: $(cat keys.1)"
grep -q ' mapped/src/a/util.c a$' keys.1 || fail "other names: $(cat keys.1)"

[ "$failures" = 0 ] && echo "keys: ok"
[ "$failures" = 0 ]
