# What the test scripts share. Each of them works in a directory of its own,
# which is gone afterwards; failures are noted in a file there, because a test
# at the end of a pipe runs in a subshell and could not count them.

BIN=${BIN:-$(cd "$(dirname "$0")/.." && pwd)}
PATH=$BIN:$PATH
LC_ALL=C
export PATH LC_ALL
suite=$(basename "$0" .sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/dir"
cd "$work/dir" || exit 2

# t NAME STATUS OUTPUT COMMAND...: errors are part of the output
t() {
    name=$1 status=$2 output=$3
    shift 3
    got=$("$@" 2>&1)
    got_status=$?
    if [ "$got_status" = "$status" ] && [ "$got" = "$output" ]; then
        echo "PASS $suite: $name"
    else
        echo "FAIL $suite: $name: status $got_status, output:"
        echo "$got"
        echo "$name" >>"$work/failed"
    fi
}

finish() {
    [ ! -e "$work/failed" ]
    exit
}
