# A test suite: what ./shelf prints has to be right.
[ "$(./shelf 50 7)" = "7: 1
50: 1" ] && [ "$(./shelf 100)" = "99: 1" ] && echo "all tests passed"
