#!/bin/bash
# tandem cov: what test cases cover, together and each; the smallest set; lcov's format. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

failures=0
fail() { echo "cov: $*"; failures=$((failures + 1)); }
says() { grep -qxF -- "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"; }

"$cc" -O2 "$root/examples/magic.c" -o magic
for word in zzzzz mzzzz mazzz magzz; do
    printf %s "$word" | "$tandem" record -o "$word.tcase" ./magic > /dev/null || fail "$word is not recorded"
done

"$tandem" cov --each --missed --lcov all.info --minset least zzzzz.tcase magzz.tcase mzzzz.tcase mazzz.tcase > said 2> err || fail "status $?: $(cat err)"
says said 'zzzzz.tcase: 2 new'     # read went well, no m
says said 'magzz.tcase: 4 new'     # m, a, g; i is not
says said 'mzzzz.tcase: 1 new'     # a is not, though the test before had taken it
says said 'mazzz.tcase: 1 new'
says said '4 of 4 test cases run'
says said '4 test cases in least'
says said 'examples/magic.c:8:6 main: taken'
says all.info "SF:$root/examples/magic.c"
says all.info 'FNDA:4,main'
says all.info 'BRF:12'
says all.info 'BRH:8'
says all.info 'BRDA:10,2,0,1'
says all.info 'BRDA:10,2,1,3'
says all.info 'BRDA:10,1,0,-'    # the last letter has the first column, that of the whole condition

# What one test case took is not another's: one after the other, and alone.
"$tandem" cov --lcov alone.info mzzzz.tcase > said || fail "alone: status $?"
says alone.info 'BRH:3'

# The smallest set covers what all cover.
"$tandem" cov --lcov least.info least > /dev/null && [ "$(grep BRH least.info)" = BRH:8 ] || fail "the smallest set: $(grep BRH least.info)"
cp magzz.tcase again.tcase
"$tandem" cov --minset fewer magzz.tcase again.tcase > said && says said '1 test cases in fewer'

"$tandem" cov --json . > said 2> err || fail "--json: status $?: $(cat err)"
grep -q '"branches_covered": 8' said && grep -q '"cases": 1[0-9]' said || fail "--json: $(cat said)"

# What cannot be run is left out, and said.
echo nonsense > broken.tcase
"$tandem" cov broken.tcase magzz.tcase -- ./magic > said 2> err
[ $? = 70 ] && grep -q 'broken.tcase is left out' err && grep -q '1 of 2 test cases run' said || fail "a broken test case: $(cat said err)"
clang-19 -O2 "$root/examples/magic.c" -o plain
"$tandem" cov magzz.tcase -- ./plain > said 2> err
[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] || fail "a plain program: $(cat err)"
"$tandem" cov nowhere > said 2> err
[ $? = 1 ] || fail "no such test case: $(cat err)"

[ "$failures" = 0 ] && echo "cov: ok"
exit $((failures > 0))
