#!/bin/bash
# Traced runs per second of `cut` (coreutils) with 16 symbolic bytes, the host reading each trace included, against fork and exec
# of the plain program. The bar is 2x. The input is fixed; the traced runs are in the sandbox.
#
#   bench/forkserver.sh [--jobs 2]
#
# Both programs are kept below $cache/builds.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

jobs=2
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$(value_of "$@"); shift ;;
    *) die "unknown option '$1'" ;;
    esac
    shift
done
need_tool "$REFERENCE"
need_tool "$CC" "CC"
make -s -C "$ROOT" bench
for role in reference tested; do package_build coreutils $role "$jobs" || exit 1; done
"$ROOT/build/bench/forkserver" "$(package_dir coreutils tested)/src/cut" "$(package_dir coreutils reference)/src/cut" -d: -f2,3
