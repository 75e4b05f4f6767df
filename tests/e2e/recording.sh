#!/bin/bash
# tandem check records suites without being noticed: output, status and files of a command are what they were, however its programs are started and fed; every run of an instrumented program is a test
# case, and a replay of it sees what the run saw. Nothing that goes wrong on our side is the suite's problem: no room for recordings, a recorder that is killed, files that are too large.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "recording: $*"; failures=$((failures + 1)); }
mkdir work out

# Tells in one line all that it was given, so that nothing can be lost without being seen. -N: reads only N bytes of standard input, one by one; FILE: its content; other arguments as they are.
cat > tell.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned sum(unsigned s, const char *b, long n) { for (long i = 0; i < n; i++) s = s * 31 + (unsigned char)b[i]; return s; }
int main(int argc, char **argv)
{
	char line[65536], b[4096];
	int used = 0;
	long n, total = 0, limit = -1;
	unsigned s = 7;
	for (int i = 1; i < argc; i++) {
		int fd = argv[i][0] == '-' ? -1 : open(argv[i], O_RDONLY);
		if (argv[i][0] == '-')
			limit = atol(argv[i] + 1);
		used += snprintf(line + used, 200, "[%s", argv[i]);
		unsigned of = 7;
		while (fd >= 0 && (n = read(fd, b, sizeof b)) > 0)
			of = sum(of, b, n);
		used += fd >= 0 ? snprintf(line + used, 50, "=%x]", of) : snprintf(line + used, 50, "]");
		if (fd >= 0)
			close(fd);
	}
	for (long step = limit < 0 ? (long)sizeof b : 1; (limit < 0 || total < limit) && (n = read(0, b, (size_t)step)) > 0; total += n)
		s = sum(s, b, n);
	snprintf(line + used, 200, " stdin %ld %x lang %s mode %s\n", total, s, getenv("LC_ALL") ? getenv("LC_ALL") : "-", getenv("TELL_MODE") ? getenv("TELL_MODE") : "-");
	return write(1, line, strlen(line)) < 0;
}
C
"$cc" -O1 -g tell.c -o work/tell || { fail "tell.c does not build"; exit 1; }

cat > work/suite.sh <<'S'
log=$PWD/$1
t() { "$@" >> "$log"; }
t ./tell plain < /dev/null
echo piped | t ./tell
(printf one; sleep 0.05; printf two; sleep 0.05) | t ./tell slowly
printf 'abcdefgh' | { t ./tell -3; t ./tell -2; cat; echo; }
printf 'first\nsecond\n' > in.txt
t ./tell in.txt < in.txt
{ read -r line; echo "$line"; t ./tell; } < in.txt
seq 1 20000 | t ./tell big
t ./tell here << 'X'
a here-document
X
mkdir -p deep/er && (cd deep/er && echo below > f && t ../../tell f < f)
printf 'x\0y z\0' | xargs -0 -n 1 sh -c './tell "$0" < /dev/null' >> "$log"
timeout 10 ./tell timed < in.txt >> "$log"
TELL_MODE=odd LC_ALL=C t ./tell variables < /dev/null
env -i ./tell nothing < /dev/null >> "$log"
: | t ./tell empty
echo socket | ./through ./tell sock >> "$log"
echo deeper | sh -c 'sh -c "./tell nested"' >> "$log"
x=$(echo sub | ./tell substitution); echo "$x" >> "$log"
t ./tell missing-file < /dev/null
t ./tell "" "$(printf 'odd\tname')" < /dev/null
printf 'lib: a b\na b:\n\t@echo $@ | ./tell $@ >> make.$@\n' > Makefile; make -s -j2; cat make.a make.b >> "$log"; rm -f make.a make.b
yes | { ./tell -7; } >> "$log"
rm -f gone; echo was > gone; t ./tell gone < /dev/null; rm gone
exec 3< in.txt; t ./tell other <&3
t ./tell closed <&-
(exec ./tell replaced < in.txt) >> "$log"
echo done; exit 3
S
# A pair of sockets as standard input, which some shells make of pipes.
cat > through.c <<'C'
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int s[2];
	char b[100];
	long n;
	if (argc < 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (fork() == 0) {
		dup2(s[1], 0);
		close(s[0]);
		close(s[1]);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	close(s[1]);
	while ((n = read(0, b, sizeof b)) > 0)
		if (write(s[0], b, (size_t)n) < 0)
			return 1;
	close(s[0]);
	wait(NULL);
	return 0;
}
C
clang-19 -O1 through.c -o work/through || { fail "through.c does not build"; exit 1; }

# listing: names, modes and contents of a directory.
listing() { (cd "$1" && find . ! -name 'plain.*' ! -name 'rec.*' | LC_ALL=C sort | while read -r f; do stat -c '%n %A' "$f"; [ -f "$f" ] && cksum < "$f"; done); }
suite() { (cd work && timeout -k 2 60 "$@"); }

suite bash suite.sh lines > plain.out 2> plain.err
echo $? > plain.status
listing work > plain.files
cp work/lines plain.lines
rm -rf work/lines work/deep work/in.txt work/Makefile
suite "$tandem" check --record-only -o "$dir/out/first" bash suite.sh lines > rec.out 2> rec.err
echo $? > rec.status
listing work > rec.files
cp work/lines rec.lines
cmp -s plain.status rec.status || fail "status $(cat rec.status) instead of $(cat plain.status): $(head -n 3 rec.err)"
cmp -s plain.out rec.out || fail "other output: $(diff plain.out rec.out | head -n 5)"
cmp -s plain.lines rec.lines || fail "a program was given something else: $(diff plain.lines rec.lines | head -n 5)"
cmp -s plain.files rec.files || fail "other files: $(diff plain.files rec.files | head -n 5)"
sed '/^tandem: /d' rec.err | cmp -s - plain.err || fail "other errors: $(sed '/^tandem: /d' rec.err | diff - plain.err | head -n 5)"

# Each run is there once, and its replay is given what it was given.
runs=$(wc -l < plain.lines)
said=$(sed -n 's/.* \([0-9]*\) runs of 1 program: \([0-9]*\) recorded .*/\1 \2/p' rec.err)
[ "$said" = "$runs $(ls out/first/recordings | wc -l)" ] || fail "$runs runs, but it says: $(tail -n 1 rec.err)"
for f in out/first/recordings/*.tcase; do "$tandem" replay "$f" 2> /dev/null; done | sed '/^[^ ]*tcase: /d' | LC_ALL=C sort > replayed
LC_ALL=C sort -u plain.lines > wanted
LC_ALL=C sort -u replayed | cmp -s - wanted || fail "replays see something else: $(LC_ALL=C sort -u replayed | diff - wanted | head -n 8)"

# The same once more adds nothing.
before=$(ls out/first/recordings | wc -l)
rm -rf work/lines work/deep work/in.txt
suite "$tandem" check --record-only -o "$dir/out/first" bash suite.sh lines > /dev/null 2> rec.err
[ "$(ls out/first/recordings | wc -l)" = "$before" ] || fail "the same runs are recorded again: $before, then $(ls out/first/recordings | wc -l)"

# --- a reader that is interrupted, killed, or does not wait ------------------

cat > alarm.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void ring(int s) { (void)s; }
int main(int argc, char **argv)
{
	char b[16];
	struct sigaction a = { .sa_handler = ring };
	sigaction(SIGALRM, &a, NULL);
	if (argc > 1 && strcmp(argv[1], "alarm") == 0)
		alarm(1);
	if (argc > 1 && strcmp(argv[1], "nowait") == 0)
		fcntl(0, F_SETFL, O_NONBLOCK);
	long n = read(0, b, sizeof b);
	printf("%ld %s\n", n, n < 0 ? strerror(errno) : "");
	return 0;
}
C
"$cc" -O1 -g alarm.c -o work/alarm || fail "alarm.c does not build"
cat > work/waiting.sh <<'S'
sleep 1.5 | ./alarm alarm
sleep 0.3 | ./alarm nowait
sleep 1 | timeout 0.3 ./alarm; echo "killed: ${PIPESTATUS[1]}"
sleep 1 | timeout -s KILL 0.3 ./alarm; echo "killed: ${PIPESTATUS[1]}"
S
suite bash waiting.sh > plain.out 2> /dev/null
suite "$tandem" check --record-only -o "$dir/out/waiting" bash waiting.sh > rec.out 2> rec.err
cmp -s plain.out rec.out || fail "waiting: $(diff plain.out rec.out | head -n 5)"
grep -q 'Interrupted' rec.out && grep -q 'left out (it was interrupted' rec.err || fail "an interrupted read: $(cat rec.out rec.err)"

# --- what goes wrong is not the suite's problem ------------------------------

# A file of a gigabyte takes no time and no room; the run is left out, and that is told.
cat > work/large.sh <<'S'
truncate -s 1G huge; ./size huge; rm huge
S
printf '%s\n' '#include <stdio.h>' '#include <sys/stat.h>' 'int main(int argc, char **argv) { struct stat s; FILE *f = fopen(argv[argc - 1], "r"); return !f || stat(argv[argc - 1], &s) || printf("%ld\n", (long)s.st_size) < 0; }' > size.c
"$cc" -O1 size.c -o work/size || fail "size.c does not build"
start=$SECONDS
suite "$tandem" check --record-only -o "$dir/out/large" bash large.sh > rec.out 2> rec.err
[ "$(cat rec.out)" = 1073741824 ] || fail "a large file: $(cat rec.out rec.err)"
[ $((SECONDS - start)) -le 10 ] || fail "a large file takes $((SECONDS - start)) s"
grep -q '1 left out (no room.*huge' rec.err || fail "a large file: $(cat rec.err)"
[ "$(du -sk out/large | cut -f 1)" -le 100 ] || fail "a large file takes room: $(du -sk out/large)"

# No room for recordings.
if mkdir full && mount -t tmpfs -o size=16k none full 2> /dev/null; then
    rm -rf work/lines work/deep work/in.txt
    suite "$tandem" check --record-only -o "$dir/full/out" bash suite.sh lines > rec.out 2> rec.err
    [ $? = 3 ] || fail "no room: another status: $(cat rec.err)"
    cmp -s plain.lines work/lines || fail "no room: a program was given something else"
    grep -q 'could not be written: .*No space left' rec.err || fail "no room, and nothing is said of it: $(cat rec.err)"
    umount full
fi

# The recorder is killed: the suite goes on as if nothing had happened.
for after in 0.05 0.2 0.5; do
    rm -rf work/lines work/deep work/in.txt
    (cd work && exec "$tandem" check --record-only -o "$dir/out/killed.$after" bash -c 'bash suite.sh lines > finished; echo $? >> finished; touch over') > /dev/null 2>&1 &
    recorder=$!
    sleep "$after"
    kill -9 "$recorder" 2> /dev/null
    wait "$recorder" 2> /dev/null
    for ((i = 0; i < 300 && ! $(test -e work/over; echo $?) == 0; i++)); do sleep 0.1; done
    [ -e work/over ] || fail "killed after $after s: the suite does not end"
    [ "$(tail -n 1 work/finished)" = 3 ] || fail "killed after $after s: the suite ends with $(tail -n 1 work/finished)"
    cmp -s plain.lines work/lines || fail "killed after $after s: $(diff plain.lines work/lines | head -n 6)"
    rm -f work/over work/finished
done
sleep 0.2
ps -eo stat=,comm= | grep -q "^[^Z].*tandem-heir" && fail "an heir is left behind"

# What is told of nonsense.
"$tandem" check -o out/x ./not-there 2> err > /dev/null
[ $? = 1 ] && grep -q 'not-there: cannot execute' err || fail "a command that is not there: $(cat err)"
"$tandem" check --record-only -o out/none true 2> err || fail "a suite without programs: $(cat err)"
grep -q 'no run of a program that was built with tandem cc was seen' err || fail "a suite without programs: $(cat err)"
"$tandem" check > /dev/null 2>&1 && fail "no command at all"

# A check in a check is the command itself.
suite "$tandem" check --record-only -o "$dir/out/outer" "$tandem" check -o "$dir/out/inner" sh -c 'echo x | ./tell' > rec.out 2> rec.err
[ "$(ls out/outer/recordings 2> /dev/null | wc -l)" = 1 ] && [ ! -e out/inner ] || fail "a check in a check: $(cat rec.err)"

[ "$failures" = 0 ] && echo "recording: ok"
exit "$failures"
