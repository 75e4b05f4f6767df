# shellcheck shell=bash
# Disks that are full or read-only: small file systems in a mount namespace of their own. An exploration that could not save anything does not
# begin; a bug that was found but could not be saved, as the disk has become full, is still a bug found (status 10).

full='mkdir -p full && mount -t tmpfs -o size=64k none full && head -c 65536 /dev/zero > full/filler 2> /dev/null;'

crashing_program() {
    build crash <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) { if (getchar() == 'A') abort(); return 0; }
C
}

test_findings_on_full_disk() {
    crashing_program
    # shellcheck disable=SC2016
    in_namespace "$full"' run "$TANDEM" explore --stdin 1 --time 5 --execs 20 --out full/found ./crash; wants 1
        one_line "full/found.*(No space left|disk is full)"'
}

test_disk_becomes_full() {
    build late <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	char line[16];
	for (int i = 0; i < 9; i++)
		if ((line[i] = (char)getchar()) != "abcdefghi"[i])
			return i;
	abort();
}
C
    # shellcheck disable=SC2016
    in_namespace 'mkdir -p small && mount -t tmpfs -o size=200k none small || exit 1
        (until [ -d small/found/tests ]; do sleep 0.01; done; head -c 300000 /dev/zero > small/filler 2> /dev/null) &
        run "$TANDEM" explore --stdin 9 --time 20 --execs 400 --out small/found ./late; wants 10
        wait; grep -q "^bug: SIGABRT" out || die "$(cat out)"
        one_line "small/found.*(No space left|disk is full)"'
}

test_trace_on_full_disk() {
    echo_program
    # shellcheck disable=SC2016
    in_namespace "$full"' run "$TANDEM" trace --quiet --save full/trace ./target; wants 6; one_line "full/trace.*No space left"
        [ ! -e full/trace ] || die "half a trace is left"
        bounded "$TANDEM" trace ./target < /dev/null 2> err > full/out; status=$?; wants 6; one_line "No space left"'
}

test_object_on_full_disk() {
    echo 'int main(void) { return 0; }' > a.c
    # shellcheck disable=SC2016
    in_namespace "$full"' run "$TANDEM_CC" -c a.c -o full/a.o; [ "$status" != 0 ] || die "status 0"
        [ "$(wc -l < err)" -le 2 ] && grep -q "No space left" err || die "said: $(head -n 5 err)"
        [ ! -e full/a.o ] || die "half an object is left"'
}

test_temporary_folder_is_full() {
    echo 'int main(void) { return 0; }' > a.c
    # shellcheck disable=SC2016
    in_namespace "$full"' TMPDIR=$PWD/full run "$TANDEM_CC" a.c -o a; [ "$status" != 0 ] || die "status 0"
        [ "$(wc -l < err)" -le 2 ] && grep -q "No space left" err || die "said: $(head -n 5 err)"
        [ "$(ls full)" = filler ] || die "left behind: $(ls full)"'
}

# The scratch directory of a run is below /tmp: no room for it, or none at all.
test_scratch_is_impossible() {
    crashing_program
    mkdir /var/tmp/tandem-fault-$$ && cp crash "$TANDEM" /var/tmp/tandem-fault-$$/ || cannot "cannot write to /var/tmp"
    # shellcheck disable=SC2064
    trap "rm -rf /var/tmp/tandem-fault-$$" EXIT
    # shellcheck disable=SC2016
    TMPDIR='' in_namespace 'cd /var/tmp/tandem-fault-'$$' && mount -t tmpfs -o ro none /tmp || exit 1
        for c in "trace" "explore --execs 5" "predict --pairs 5"; do run ./tandem $c ./crash; wants 6; one_line "/tmp.*Read-only"; done'
}

test_folder_is_read_only() {
    crashing_program
    # shellcheck disable=SC2016
    in_namespace 'mkdir ro && mount -t tmpfs -o ro none ro || exit 1
        run "$TANDEM" explore --stdin 1 --time 5 --execs 20 --out ro/found ./crash; wants 1; one_line "ro/found.*Read-only"
        run "$TANDEM" trace --quiet --save ro/trace ./crash; wants 6; one_line "ro/trace.*Read-only"
        run "$TANDEM_CC" -c crash.c -o ro/crash.o; [ "$status" != 0 ] || die "status 0"
        [ "$(wc -l < err)" -le 2 ] && grep -q "Read-only" err || die "said: $(head -n 5 err)"'
}

# A file where the folder should be.
test_folder_is_a_file() {
    crashing_program
    : > file
    run "$TANDEM" explore --stdin 1 --time 5 --execs 20 --out file/found ./crash
    wants 1
    one_line 'file/found.*Not a directory'
}
