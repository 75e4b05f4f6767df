#!/bin/bash
# The page that leads newcomers to tandem check is true, as far as it needs no more than make (tests/suites/page.sh does the rest).
set -uo pipefail
said=$(timeout -k 5 300 "$(dirname "$0")/../suites/page.sh" make 2>&1) && { echo "page: ok"; exit 0; }
grep -v '^ok ' <<< "$said"
exit 1
