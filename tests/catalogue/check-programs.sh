#!/bin/sh
# Checks the programs in unit/: each is built with the sanitizers; its ordinary tests must end without
# a report, and its crash input must end with one, at a line marked TRUE. Prints how many passed.
# Usage: check-programs.sh [NAME]...
here=$(cd "$(dirname "$0")" && pwd)/unit
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
CC=${CC:-clang-19}
export ASAN_OPTIONS=detect_leaks=0
export ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v llvm-symbolizer-19)}
export UBSAN_OPTIONS=print_stacktrace=0

# The text of comment line $2 ("crash" or "tests") of file $1.
comment() {
	sed -n "s|^/\* $2: \(.*\) \*/\$|\1|p" "$1"
}

# Runs the program with one input of the form: argv "..." or stdin "...". Output goes to $work/out.
run_one() {
	text=${1#*\"}
	text=${text%\"}
	set -f
	case $1 in
	argv*) timeout 10 "$work/prog" $text </dev/null >"$work/out" 2>&1 ;;
	stdin*) printf '%b' "$text" | timeout 10 "$work/prog" >"$work/out" 2>&1 ;;
	*) echo "bad input: $1" >"$work/out"; false ;;
	esac
}

reported() {
	grep -Eq 'Sanitizer|runtime error|Assertion .* failed' "$work/out"
}

# Fails with a reason on stdout.
check() {
	source=$1
	name=$(basename "$source")
	$CC -std=gnu17 -Wall -Wextra -Werror -g -fsanitize=address,undefined -fno-sanitize-recover \
		-o "$work/prog" "$source" >"$work/out" 2>&1 || { echo "does not build"; cat "$work/out"; return 1; }
	comment "$source" tests | sed 's/" | /"\n/g' >"$work/tests"
	[ "$(wc -l <"$work/tests")" -ge 3 ] || { echo "fewer than 3 tests"; return 1; }
	while IFS= read -r input; do
		run_one "$input"
		status=$?
		if [ $status -ge 124 ] || reported; then
			echo "test $input failed with status $status"
			return 1
		fi
	done <"$work/tests"
	crash=$(comment "$source" crash)
	marked=$(grep -c '/\* TRUE: ' "$source")
	if [ "$crash" = none ]; then
		[ "$marked" = 0 ] || { echo "a TRUE mark but no crash input"; return 1; }
		return 0
	fi
	run_one "$crash"
	status=$?
	if [ $status = 124 ] || ! reported; then
		echo "crash input $crash did not crash (status $status)"
		return 1
	fi
	line=$(grep -oE "$name:[0-9]+" "$work/out" | head -n 1 | cut -d: -f2)
	sed -n "${line:-1}p" "$source" | grep -q '/\* TRUE: ' || {
		echo "crash input $crash crashed at line ${line:-unknown}, which is not marked TRUE"
		return 1
	}
}

passed=0
failed=0
[ $# -gt 0 ] || set -- $(ls "$here" | sed -n 's/\.c$//p')
for program; do
	if reason=$(check "$here/$program.c" 2>/dev/null); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$program: $reason"
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
