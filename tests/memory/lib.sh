# shellcheck shell=bash
# Sourced by the tests of the catalogue: what the head of a program says, how it is built, and what to make of a traced run. `source` is
# the program's file, `name` its name; a run leaves what it said in `err`.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${BUILD:=$here/../../build}"
TANDEM=$BUILD/bin/tandem CC=$BUILD/bin/tandem-cc

field() { sed -n "s|^// $1: \{0,1\}||p" "$source"; }
says() { echo "${group:-memory}/$name: $*"; }

# What `tandem trace` and `tandem explore` are told to look for.
options_of() {
    case $(field bug) in
    memory-leak) echo --leaks ;;
    uninitialised-read) echo --uninitialised ;;
    esac
}

build() {
    local flags=
    [ "$(field bug)" != signed-overflow ] || flags=--tandem-signed
    "$CC" $flags -w -g -O1 -D_GNU_SOURCE "$source" -o program -lm -lpthread 2> err || { says "does not build: $(head -n 1 err)"; return 1; }
}

# The arguments and the standard input of the run WHICH: `arguments` and the file stdin.
input_of() {
    eval "arguments=($(field "$1"))"
    printf '%b' "$(field "$1-stdin")" > stdin
}

# The innermost frame of the program itself; a leak is told where it was allocated.
place() { grep -E -m 1 '^ +#[0-9]+ .* at .*'"$name"'\.c:[0-9]+' err | sed -E 's/.*:([0-9]+):[0-9]+$/\1/'; }

# What is wrong about a run that should have shown the bug, if anything.
judge() {
    local bug=$1 line got
    got=$(sed -n 's/^==TANDEM: \([^:]*\):.*/\1/p' err | head -n 1)
    line=$(grep -n '/\* BUG \*/' "$source" | cut -d : -f 1)
    if [ "$bug" = none ]; then
        [ -z "$got" ] || echo "harmless, and reported as $got"
    elif [ -z "$got" ]; then
        echo "$bug: nothing reported"
    elif [ "$got" != "$bug" ]; then
        echo "$bug: reported as $got"
    elif [ "$(place)" != "$line" ]; then
        echo "$bug: at line $(place) instead of $line"
    fi
}
