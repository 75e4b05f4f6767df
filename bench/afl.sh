# shellcheck shell=bash
# AFL++ in a box. Sourced behind tests/suites/lib.sh. A fuzzer runs programs on inputs that nobody has seen: sed has `e`, gawk has system(), sort -o writes
# files. AFL++ contains nothing, so all of it runs as nobody, without capabilities, in namespaces of its own (bubblewrap), where there is /usr and
# what it was handed, both read-only, and a /tmp in memory. What it found comes out as a tar archive on standard output.
#
#   afl_check                                   tries to get out; false, with a line, if that works
#   afl_run PROGRAM SEED SECONDS OUT [argv]     SECONDS of processor time, of the fuzzer and all that it starts; OUT/default is then as AFL++ left it.
#                                               argv: inputs begin with arguments (argv.c)

afl_memory=512M # of /tmp and what is in it
afl_nobody=65534

# afl_box STAGE COMMAND...: STAGE is a folder, seen as /fuzz. The limits are on files and processes; of the latter nobody has few.
afl_box() {
    local stage=$1 as=()
    shift
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid "$afl_nobody" --regid "$afl_nobody" --clear-groups --no-new-privs --bounding-set -all --inh-caps -all)
    (
        ulimit -c 0
        ulimit -f 524288
        ulimit -u 512 2> /dev/null || true
        cd /
        exec ${as[@]+"${as[@]}"} bwrap --unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL \
            --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin --symlink usr/sbin /sbin \
            --dir /etc --ro-bind /etc/ld.so.cache /etc/ld.so.cache --ro-bind /etc/alternatives /etc/alternatives --proc /proc --dev /dev \
            --size $((${afl_memory%M} << 20)) --perms 1777 --tmpfs /tmp --ro-bind "$stage" /fuzz --remount-ro / --chdir /tmp \
            --clearenv --setenv PATH /usr/bin:/bin --setenv HOME /tmp --setenv LC_ALL C --setenv TMPDIR /tmp "$@"
    )
}

# A folder that nobody can read, wherever the cache is.
afl_stage() {
    local stage
    stage=$(mktemp -d "${TMPDIR:-/tmp}/tandem-afl.XXXXXX")
    chmod 755 "$stage"
    echo "$stage"
}

# --- does it hold? ----------------------------------------------------------

# None of these does harm where it succeeds.

afl_attempts() {
    cat << 'END'
outside=$1 pid=$2
out() { echo "$1"; }
for place in / /usr /usr/bin /etc /fuzz /proc /proc/sys/kernel /sys /root /home /var /var/tmp /run /dev/../etc "$outside"; do
    (: > "$place/tandem-was-here") 2> /dev/null && out "a file in $place"
done
for file in /usr/bin/env /fuzz/victim /etc/ld.so.cache /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do
    [ -e "$file" ] && (: >> "$file") 2> /dev/null && out "writing to $file"
done
chmod 777 /fuzz/victim 2> /dev/null && out "a chmod"
rm -f /fuzz/victim 2> /dev/null && out "removing a file"
[ -e "$outside" ] && out "seeing $outside"
[ -e /root/. ] && out "seeing /root"
kill -0 "$pid" 2> /dev/null && [ "$pid" != $$ ] && [ "$(cat /proc/"$pid"/comm 2> /dev/null)" = sleep ] && out "signals to process $pid"
mount -t tmpfs x /usr 2> /dev/null && out "a mount"
mount -o remount,rw /usr 2> /dev/null && out "a remount"
unshare -U true 2> /dev/null && out "a user namespace"
unshare -Ur mount -o remount,bind,rw /usr 2> /dev/null && out "a remount in a user namespace"
[ "$(sed -n 's/^CapEff:[[:space:]]*//p; s/^CapBnd:[[:space:]]*//p' /proc/self/status | tr -d '0\n')" = "" ] || out "capabilities"
[ "$(grep -c : /proc/net/dev)" -le 1 ] || out "network devices"
(exec 3<> /dev/tcp/127.0.0.1/22) 2> /dev/null && out "a connection"
[ -n "$(ls /dev | grep -E '^(sd|vd|nvme|mem|kmsg|loop|kvm)')" ] && out "devices"
: > /tmp/scratch || out "but not even a file in /tmp"
exit 0
END
}

afl_check() {
    local stage outside failures bystander
    stage=$(afl_stage)
    outside=$(mktemp -d "${TMPDIR:-/tmp}/tandem-outside.XXXXXX")
    chmod 777 "$outside"
    echo precious > "$stage/victim"
    chmod 666 "$stage/victim"
    afl_attempts > "$stage/attempts"
    sleep 60 & bystander=$!
    failures=$(afl_box "$stage" bash /fuzz/attempts "$outside" $bystander 2>&1) || failures="$failures (it could not be run)"
    kill -0 $bystander 2> /dev/null || failures="$failures; a process outside is gone"
    kill $bystander 2> /dev/null || true
    wait $bystander 2> /dev/null || true
    [ "$(cat "$stage/victim")" = precious ] || failures="$failures; a file outside was changed"
    [ -z "$(ls -A "$outside")" ] || failures="$failures; a file appeared outside"
    rm -rf "$stage" "$outside"
    [ -z "$failures" ] || { echo "AFL++ is not contained, so it is not run: $failures" | tr '\n' ';'; echo; return 1; }
}

# --- running ----------------------------------------------------------------

# Processor time is that of all processes in the box but the first (bubblewrap's) and this one; waited-for children are in their parents'.
afl_inside() {
    cat << 'END'
seconds=$1
used() { cat /proc/[0-9]*/stat 2> /dev/null | awk -v self=$$ '{ pid = $1; sub(/^.*\) /, ""); if (pid != 1 && pid != self) n += $12 + $13 + $14 + $15 } END { printf "%d\n", n }'; }
mkdir /tmp/work
cd /tmp/work
export AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_COLOR=1
[ ! -e /fuzz/argv.so ] || export AFL_PRELOAD=/fuzz/argv.so
afl-fuzz -p fast -t 1000 -i /fuzz/seeds -o /tmp/out -- /fuzz/program > /tmp/log 2>&1 < /dev/null &
fuzzer=$!
turns=$((seconds * 20 + 200))
while kill -0 $fuzzer 2> /dev/null && [ "$(used)" -lt $((seconds * 100)) ] && [ $turns -gt 0 ]; do
    sleep 0.5
    turns=$((turns - 1))
done
mkdir -p /tmp/out/default
used > /tmp/out/default/cpu
kill -INT $fuzzer 2> /dev/null
wait $fuzzer
cp /tmp/log /tmp/out/default/log
tar -C /tmp/out -cf - default
END
}

afl_run() {
    local program=$1 seed=$2 seconds=$3 out=$4 stage status=0
    stage=$(afl_stage)
    mkdir "$stage/seeds"
    cp "$program" "$stage/program"
    cp "$seed" "$stage/seeds/seed"
    [ "${5-}" != argv ] || "$REFERENCE" -O2 -shared -fPIC -o "$stage/argv.so" "$ROOT/bench/argv.c"
    afl_inside > "$stage/inside"
    chmod -R a+rX "$stage"
    rm -rf "$out"
    mkdir -p "$out"
    afl_box "$stage" bash /fuzz/inside "$seconds" > "$out/found.tar" 2> "$out/err" || status=$?
    rm -rf "$stage"
    tar -C "$out" --no-same-owner --no-same-permissions -xf "$out/found.tar" default 2>> "$out/err" || true
    rm -f "$out/found.tar"
    [ -s "$out/default/fuzzer_stats" ] || { echo "AFL++ has nothing to show (exit $status): $(tail -n 3 "$out/default/log" "$out/err" 2> /dev/null | tr '\n' ' ')"; return 1; }
}
