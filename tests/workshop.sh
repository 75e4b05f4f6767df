# Sourced by the end-to-end tests that are scripts: where things are, and an empty directory to work in that goes away with
# the script. Relative names among the arguments must have been resolved before.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tandem=${TANDEM:-$root/build/bin/tandem}
cc=${tandem%/*}/tandem-cc
programs=$root/tests/e2e/programs
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
ulimit -c 0
failures=0
