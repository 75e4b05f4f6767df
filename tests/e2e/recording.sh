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
said=$(sed -n 's/.* \([0-9]*\) runs\? of 1 program: \([0-9]*\) recorded .*/\1 \2/p' rec.err)
[ "$said" = "$runs $(ls out/first/recordings | wc -l)" ] || fail "$runs runs, but it says: $(tail -n 1 rec.err)"
for f in out/first/recordings/*.tcase; do "$tandem" replay "$f" 2> /dev/null; done | sed '/^[^ ]*tcase: /d' | LC_ALL=C sort > replayed
LC_ALL=C sort -u plain.lines > wanted
LC_ALL=C sort -u replayed | cmp -s - wanted || fail "replays see something else: $(LC_ALL=C sort -u replayed | diff - wanted | head -n 8)"

# The same once more adds nothing.
before=$(ls out/first/recordings | wc -l)
rm -rf work/lines work/deep work/in.txt
suite "$tandem" check --record-only -o "$dir/out/first" bash suite.sh lines > /dev/null 2> rec.err
[ "$(ls out/first/recordings | wc -l)" = "$before" ] || fail "the same runs are recorded again: $before, then $(ls out/first/recordings | wc -l)"

# --- a reader that is interrupted, stopped, killed, or does not wait ---------

cat > alarm.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static void ring(int s) { (void)s; }
int main(int argc, char **argv)
{
	char b[16];
	struct sigaction a = { .sa_handler = ring };
	sigaction(SIGALRM, &a, NULL);
	if (argc > 1 && strcmp(argv[1], "spin") == 0) { /* keeps the recorder busy */
		struct timespec now, end;
		clock_gettime(CLOCK_MONOTONIC, &end);
		do {
			access("nothing", F_OK);
			clock_gettime(CLOCK_MONOTONIC, &now);
		} while (now.tv_sec - end.tv_sec < 2 || (now.tv_sec - end.tv_sec == 2 && now.tv_nsec < end.tv_nsec));
		return 0;
	}
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
state() { ./alarm <&0 & p=$!; sleep 0.4; kill "$1" $p; sleep 0.4; echo "after $1: $(ps -o stat= -p $p | cut -c 1)"; kill -9 $p; wait $p; }
[ $# = 0 ] || ./alarm spin &
(sleep 1.8 | ./alarm alarm) > wait.1 &
(sleep 0.3 | ./alarm nowait) > wait.2 &
(sleep 1 | timeout 0.3 ./alarm; echo "killed: ${PIPESTATUS[1]}") > wait.3 &
(sleep 1 | timeout -s KILL 0.3 ./alarm; echo "killed: ${PIPESTATUS[1]}") > wait.4 &
(sleep 1.8 | state -ABRT) > wait.5 2> /dev/null &
(sleep 1.8 | state -STOP) > wait.6 2> /dev/null &
wait; cat wait.?; rm wait.?
S
suite bash waiting.sh > plain.out 2> /dev/null
suite "$tandem" check --record-only -o "$dir/out/waiting" bash waiting.sh busily > rec.out 2> rec.err
cmp -s plain.out rec.out || fail "waiting: $(diff plain.out rec.out | head -n 5)"
grep -q 'Interrupted' rec.out && grep -q 'left out: it was interrupted' rec.err || fail "an interrupted read: $(cat rec.out rec.err)"

# --- programs that do odd things ---------------------------------------------

cat > odd.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>
static void say(const char *what, long n) { int e = errno; printf("%s %ld %s\n", what, n, n < 0 ? strerror(e) : ""); fflush(stdout); }
static long all_of(int fd) { char b[100]; long n, t = 0; while ((n = read(fd, b, sizeof b)) > 0) t += n; return n < 0 ? n : t; }
static long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *p)
{
	char c;
	while (read(0, &c, 1) == 1) {
		pthread_mutex_lock(&lock);
		sum += c;
		pthread_mutex_unlock(&lock);
	}
	return p;
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : "";
	char b[100], *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct iovec v = { b, sizeof b };
	pthread_t t[4];
	munmap(page + 4096, 4096);
	if (strcmp(how, "read") == 0) {
		say(how, all_of(0));
	} else if (strcmp(how, "open") == 0) {
		say(how, open(name, O_RDONLY) < 0 ? -1 : 0);
	} else if (strcmp(how, "private") == 0) {
		prctl(PR_SET_DUMPABLE, 0);
		say(how, all_of(0));
	} else if (strcmp(how, "dup") == 0) {
		say(how, all_of(dup(0)));
	} else if (strcmp(how, "readv") == 0) {
		say(how, readv(0, &v, 1));
	} else if (strcmp(how, "stdin") == 0) {
		say(how, all_of(open("/dev/stdin", O_RDONLY)));
	} else if (strcmp(how, "constant") == 0) {
		mprotect(page, 4096, PROT_READ);
		say(how, read(0, page, 10));
		say("then", all_of(0));
	} else if (strcmp(how, "half") == 0) {
		say(how, read(0, page + 4092, 100));
		say("then", all_of(0));
	} else if (strcmp(how, "threads") == 0) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, reader, NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
		say(how, sum);
	} else if (strcmp(how, "throw") == 0) {
		int nowhere = open("/dev/null", O_WRONLY);
		long got = read(0, b, 3), more;
		while ((more = splice(0, NULL, nowhere, NULL, 65536, 0)) > 0)
			got += more;
		say(how, (int)got);
	} else if (strcmp(how, "system") == 0) {
		say(how, system(name));
	} else if (strcmp(how, "next") == 0) {
		say(how, dup(1));
	} else if (strcmp(how, "sleep") == 0) {
		sleep(20);
	} else if (strcmp(how, "chroot") == 0) {
		say(how, chroot(name));
		say("open", open("/f", O_RDONLY) < 0 ? -1 : 0);
	} else if (strcmp(how, "meet") == 0) { /* until all are there */
		snprintf(b, sizeof b, "met.%d", (int)getpid());
		close(open(b, O_CREAT | O_WRONLY, 0600));
		for (int i = 0; i < 1000 && access(name, F_OK); i++)
			usleep(10000);
		unlink(b);
	}
	return 0;
}
C
"$cc" -O1 -g odd.c -o work/odd -lpthread && "$cc" -O1 -g -static odd.c -o work/still -lpthread || fail "odd.c does not build"
# odd NAME RUNS LEFT-OUT COMMAND: the same output, and so many runs, of which so many are left out.
odd() {
    local name=$1 runs=$2 out=$3 seen
    suite bash -c "$4" > plain.out 2>&1
    suite "$tandem" check --record-only -o "$dir/out/odd.$name" bash -c "$4" > rec.out 2> rec.err
    sed '/^tandem: /d' rec.err >> rec.out
    cmp -s plain.out rec.out || fail "$name: $(diff plain.out rec.out | head -n 5)"
    seen=$(sed -n 's/.* \([0-9]*\) runs\? of .*\(, \([0-9]*\) left out\).*/\1 \3/p; t; s/.* \([0-9]*\) runs\? of .*/\1 0/p' rec.err | head -n 1)
    [ "$seen" = "$runs $out" ] || fail "$name: $seen runs and left out, expected $runs $out: $(cat rec.err)"
}
odd threads 1 0 'seq 300 | ./odd threads'
grep -q '^stdin pipe size 1092 ' out/odd.threads/recordings/* || fail "threads: a byte is there twice, or not at all: $(grep -h '^stdin' out/odd.threads/recordings/*)"
odd static 2 0 'echo abc | ./still read; ./still open in.txt'
odd fifo 1 1 'mkfifo queue; (echo abc > queue) & ./odd open queue; wait; rm queue'
odd memory 2 0 'printf abcdef | ./odd constant; printf abcdefghij | ./odd half'
odd children 5 0 'for i in 1 2 3 4 5; do echo $i | ./odd system "cat > /dev/null"; done'
[ "$(ls out/odd.children/recordings | wc -l)" = 5 ] || fail "children: what they read is not what their parents read"
odd numbers 2 0 './odd next; ./odd next <&-'
odd limits 8 0 'for n in 201 202 100 8; do (ulimit -n $n; ./odd open in.txt; echo x | ./odd read); done'
# What is thrown away was there.
odd thrown 4 0 'echo abcdef | ./odd throw; (sleep 0.1; echo abcdefg; sleep 0.1) | ./odd throw; : | ./odd throw; (printf abc; sleep 0.2) | ./odd throw'
[ "$(grep -ah '^stdin' out/odd.thrown/recordings/* | sort | cut -d ' ' -f 1-4 | tr '\n' ' ')" = 'stdin pipe size 0 stdin pipe size 3 stdin pipe size 7 stdin pipe size 8 ' ] || fail "thrown away: $(grep -ah '^stdin' out/odd.thrown/recordings/*)"
# What was read is not known then, so it is no test.
odd otherwise 3 3 'for how in dup readv stdin; do echo abc | ./odd $how; done'
[ "$(id -u)" != 0 ] || odd root 1 1 'mkdir -p jail; echo x > jail/f; ./odd chroot jail; rm -r jail'
# More processes at a time than can be followed: some are not recorded, but none waits.
(ulimit -n 64; suite "$tandem" check --record-only -o "$dir/out/many" bash -c 'for i in {1..40}; do ./odd meet go & done; for i in {1..100}; do [ $(ls met.* 2> /dev/null | wc -l) = 40 ] && break; sleep 0.1; done
    ls met.* | wc -l; ulimit -n; touch go; wait; rm go' > rec.out 2> rec.err)
[ "$(cat rec.out)" = "40
64" ] && grep -q 'not all runs are recorded' rec.err || fail "many: $(cat rec.out rec.err)"
# Who does not let us look reads by himself; who may not have a filter is not recorded. Root may look at all.
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$dir"
if $user test -x "$tandem" 2> /dev/null; then
    mkdir -m 777 out/user
    suite sh -c "echo abcdef | $user '$tandem' check --record-only -o '$dir/out/user/o' ./odd private" > rec.out 2> rec.err
    [ "$(cat rec.out)" = "private 7 " ] && grep -q '1 left out: it does not let' rec.err || fail "private: $(cat rec.out rec.err)"
    odd user 0 0 "$user ./odd open in.txt; echo abc | $user ./odd read"
fi

# A directory that names are looked up in is one thing, one that is listed another.
cat > dirs.c <<'C'
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int n = 0, dir = open(argv[1], O_RDONLY | O_DIRECTORY), fd = openat(dir, argv[2], O_RDONLY);
	DIR *d = argc > 3 ? fdopendir(dir) : NULL;
	close(openat(dir, "made", O_CREAT | O_WRONLY, 0600));
	while (d && readdir(d))
		n++;
	unlinkat(dir, "made", 0);
	return printf("%d %d\n", fd >= 0, n) < 0;
}
C
"$cc" -O1 -g dirs.c -o work/dirs || fail "dirs.c does not build"
odd looked-up 2 0 'mkdir -p some; echo a > some/a; echo b > some/b; ./dirs some a; cd some; ../dirs . a'
[ "$(grep -ah '^file' out/odd.looked-up/recordings/* | cut -d ' ' -f 2 | LC_ALL=C sort | tr '\n' ' ')" = '"a" "some/a" ' ] || fail "a directory that is opened: $(grep -ah '^file' out/odd.looked-up/recordings/*)"
odd listed 1 0 './dirs some a list'
[ "$(grep -ah '^file' out/odd.listed/recordings/* | cut -d ' ' -f 2,7,8 | tr '\n' ' ')" = '"some/a" size 2 "some/b" size 0 ' ] || fail "a directory that is listed: $(grep -ah '^file' out/odd.listed/recordings/*)"

# Somebody connects and says nothing: nobody waits for him.
cat > silent.c <<'C'
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	prctl(0x74646d21, 0, 0, 0, 0);
	int n = snprintf(to.sun_path + 1, 50, "tandem-suite-%d", errno), s = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	if (connect(s, (struct sockaddr *)&to, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (unsigned)n)))
		return 1;
	puts("connected");
	fflush(stdout);
	sleep(3);
	return 0;
}
C
clang-19 -O1 silent.c -o work/silent || fail "silent.c does not build"
suite "$tandem" check --record-only -o "$dir/out/silent" bash -c './silent & sleep 0.2; timeout 2 ./odd open in.txt; echo $?' > rec.out 2> rec.err
[ "$(tr '\n' ' ' < rec.out)" = "connected open 0  0 " ] || fail "a silent one: $(cat rec.out rec.err)"

# A suite that builds several programs under one name: each recording is of its own.
suite "$tandem" check --record-only -o "$dir/out/rebuilt" bash -c 'cp tell p; ./p < /dev/null; sleep 0.3; cp --remove-destination odd p; ./p; ./p again' > rec.out 2> rec.err
[ "$(grep -ah '^build ' out/rebuilt/recordings/* | sort -u | wc -l)" = 2 ] || fail "two programs of one name: $(grep -ah '^build ' out/rebuilt/recordings/* | sort | uniq -c) $(cat rec.err)"
rm -f work/p

# --- as a launcher: the command is one test, and whoever waits for it compares ---

cat > ends.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int status;
	if (argc == 2) {
		fputs("an error\n", stderr);
		return raise(atoi(argv[1])) ? 1 : 3;
	}
	if (fork() == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	wait(&status);
	printf("%s %d\n", WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return 0;
}
C
"$cc" -O1 ends.c -o work/ends || fail "ends.c does not build"
# The same end, be it a signal, and not a word of ours.
for n in 0 1 2 6 9 11 13 15; do
    suite ./ends ./ends $n > plain.out 2>&1
    suite ./ends "$tandem" check --quiet --record-only -o "$dir/out/launched" ./ends $n > rec.out 2>&1
    cmp -s plain.out rec.out || fail "launched, $n: $(diff plain.out rec.out)"
done
# What would have been said is in a file, also if there are many at a time.
rm -rf out/launched
seq 40 | (cd work && xargs -P 4 -I{} sh -c 'echo {} | "$1" check -q --record-only -o "$2" ./odd read; echo {} | "$1" check -q --record-only -o "$2" ./odd dup' sh "$tandem" "$dir/out/launched") > rec.out 2>&1
[ "$(sort rec.out | uniq -c | tr -s ' \n' ' ')" = " 9 dup 2 31 dup 3 9 read 2 31 read 3 " ] || fail "many launched: $(sort rec.out | uniq -c)"
[ "$(ls out/launched/recordings | wc -l)" = 40 ] || fail "many launched: $(ls out/launched/recordings | wc -l) recordings"
[ "$(grep -c '^\$ \./odd \(read\|dup\)$' out/launched/recording.log) $(grep -c '^tandem: 1 left out: not all' out/launched/recording.log)" = "80 40" ] || fail "many launched: $(head -n 4 out/launched/recording.log)"

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
grep -q '1 left out: no room.*huge' rec.err || fail "a large file: $(cat rec.err)"
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
    for ((i = 0; i < 500; i++)); do [ -e work/finished ] && break; sleep 0.01; done
    sleep "$after"
    kill -9 "$recorder" 2> /dev/null
    wait "$recorder" 2> /dev/null
    for ((i = 0; i < 300 && ! $(test -e work/over; echo $?) == 0; i++)); do sleep 0.1; done
    [ -e work/over ] || fail "killed after $after s: the suite does not end"
    [ "$(tail -n 1 work/finished)" = 3 ] || fail "killed after $after s: the suite ends with $(tail -n 1 work/finished)"
    cmp -s plain.lines work/lines || fail "killed after $after s: $(diff plain.lines work/lines | head -n 6)"
    rm -f work/over work/finished
done
# Also if he is killed while one of many programs makes itself known.
cat > work/starts.sh <<'S'
for i in {1..60}; do ./odd open in.txt; done > started
S
for ((n = 1; n <= 12; n++)); do
    rm -f work/started
    (cd work && exec "$tandem" check --record-only -o "$dir/out/starts" bash -c 'bash starts.sh; touch over') > /dev/null 2>&1 &
    recorder=$!
    for ((i = 0; i < 500; i++)); do [ -s work/started ] && break; sleep 0.01; done
    sleep "0.0$((n % 10))"
    kill -9 "$recorder" 2> /dev/null
    wait "$recorder" 2> /dev/null
    for ((i = 0; i < 50; i++)); do [ -e work/over ] && break; sleep 0.1; done
    [ -e work/over ] && [ "$(sort -u work/started) $(wc -l < work/started)" = "open 0  60" ] || fail "killed while programs start: $(sort work/started | uniq -c)"
    rm -f work/over
done
sleep 0.2
ps -eo stat=,comm=,args= | grep "^[^Z].*tandem-heir" | grep -q "$dir" && fail "an heir is left behind" # others may have theirs

# --- terminals, and tests with a clock of their own ----------------------------

# Whoever starts a suite on a terminal has it as standard input everywhere: a run that does not read from it is a test like any other, one that does is left out, and reads what was typed.
cat > term.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char line[64] = "";
	FILE *from = strcmp(argv[1], "tty") == 0 ? fopen("/dev/tty", "r") : stdin;
	if (argc > 2 && from && fgets(line, sizeof line, from))
		line[strcspn(line, "\n")] = '\0';
	printf("%s %s terminal %d [%s]\n", argv[0], argv[1], isatty(0), line);
	return 0;
}
C
"$cc" -O1 term.c -o work/term || fail "term.c does not build"
cat > work/term.sh <<'S'
./term quiet; ./term asks 1; ./term tty 1; echo piped | ./term pipe 1
S
# on_terminal COMMAND: with three lines typed, of which none is echoed.
on_terminal() { (cd work && { sleep 1; printf 'first\nsecond\nthird\n'; sleep 1; } | timeout -k 2 60 script -qec "stty -echo; $*" /dev/null) | tr -d '\r' | grep ^./term; }
on_terminal "bash term.sh" > plain.out
on_terminal "'$tandem' check --record-only -o '$dir/out/term' bash term.sh 2> '$dir/rec.err'" > rec.out
grep -q 'asks terminal 1 .first.' plain.out && cmp -s plain.out rec.out || fail "on a terminal: $(diff plain.out rec.out) $(cat rec.err)"
grep -q '4 runs.*: 2 recorded.*2 left out'  rec.err && grep -q '2 left out: it read from a terminal' rec.err || fail "on a terminal: $(cat rec.err)"

# A program that waits is stopped by who watches the clock, when it should be, and a fast one is not.
cat > work/clock.sh <<'S'
start=$(date +%s%N)
timeout 0.5 ./odd sleep; echo "stopped $?"
timeout -s KILL 0.5 ./odd sleep; echo "killed $?"
for i in 1 2 3 4 5 6 7 8 9 10; do timeout 1 ./odd open in.txt || echo late; done
took=$(( ($(date +%s%N) - start) / 1000000 ))
[ $took -ge 1000 ] && [ $took -le 3000 ] && echo "in time" || echo "took $took ms"
S
suite bash clock.sh > plain.out 2> /dev/null
suite "$tandem" check --record-only -o "$dir/out/clock" bash clock.sh > rec.out 2> rec.err
grep -q 'stopped 124' plain.out && grep -q 'in time' plain.out && cmp -s plain.out rec.out || fail "a clock of its own: $(diff plain.out rec.out) $(cat rec.err)"

# What is told of nonsense.
"$tandem" check -o out/x ./not-there 2> err > /dev/null
[ $? = 1 ] && grep -q 'not-there: cannot execute' err || fail "a command that is not there: $(cat err)"
"$tandem" check --record-only -o out/none true 2> err || fail "a suite without programs: $(cat err)"
grep -q 'no run of a program that was built with tandem cc was seen' err || fail "a suite without programs: $(cat err)"
"$tandem" check --quiet --record-only -o out/quiet true 2> err || fail "a quiet suite without programs: $(cat err)"
[ ! -s err ] && grep -q 'no run of a program that was built with tandem cc was seen' out/quiet/recording.log || fail "a quiet suite without programs: $(cat err)"
"$tandem" check > /dev/null 2>&1 && fail "no command at all"

# A check in a check is the command itself.
suite "$tandem" check --record-only -o "$dir/out/outer" "$tandem" check -o "$dir/out/inner" sh -c 'echo x | ./tell' > rec.out 2> rec.err
[ "$(ls out/outer/recordings 2> /dev/null | wc -l)" = 1 ] && [ ! -e out/inner ] || fail "a check in a check: $(cat rec.err)"

[ "$failures" = 0 ] && echo "recording: ok"
exit "$failures"
