# shellcheck shell=bash
# Commands given what they cannot use: one line, status 1.

test_program_is_plain() {
    printf 'int main(void) { return 0; }\n' > plain.c
    clang-19 plain.c -o plain || die "clang"
    for command in trace explore predict; do
        run "$TANDEM" $command ./plain
        wants 1
        one_line 'plain.*tandem cc'
    done
}

test_program_is_no_program() {
    printf '#!/bin/sh\nexit 0\n' > script
    : > empty
    head -c 100 /dev/zero > zeros
    printf '\177ELF' > stub
    chmod +x script empty zeros stub
    for file in script empty zeros stub; do
        run "$TANDEM" trace "./$file"
        wants 1
        one_line "$file"
    done
    run "$TANDEM" trace .
    wants 1
    one_line '.'
}

test_program_is_of_another_version() {
    echo_program
    printf '\377\0\0\0' > version
    objcopy --update-section __td_runtime=version target other || die "objcopy"
    for command in trace explore predict; do
        run "$TANDEM" $command ./other
        wants 1
        one_line 'other.*another version'
    done
}

# A program cut short or with its facts overwritten is refused, or traced without harm.
test_program_is_garbled() {
    echo_program
    size=$(stat -c %s target)
    for share in 10 50 90 99; do
        head -c $((size * share / 100)) target > part
        chmod +x part
        run "$TANDEM" trace ./part
        [ "$status" != 0 ] && [ "$status" -lt 126 ] || die "cut at $share %: status $status: $(head -n 3 err)"
    done
    # Bytes within the facts, one block after the other.
    offset=$(readelf -SW target | sed -n 's/^ *\[ *[0-9]*\] __td_facts *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
    length=$(readelf -SW target | sed -n 's/^ *\[ *[0-9]*\] __td_facts *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
    [ -n "$offset" ] && [ -n "$length" ] || die "no section __td_facts"
    for k in 0 1 2 3 4 5 6 7 8 9 10 11; do
        cp target garbled
        printf '\377\377\377\177' | dd of=garbled bs=1 seek=$((0x$offset + k * 12 % 0x$length)) conv=notrunc 2> /dev/null
        run "$TANDEM" trace ./garbled
        case $status in 1 | 3 | 6) ;; *) die "facts garbled at $((k * 12)): status $status: $(head -n 3 err)" ;; esac
    done
}

test_program_is_missing() {
    for command in trace explore predict; do
        run "$TANDEM" $command ./not-there
        wants 1
        one_line 'not-there.*No such file'
    done
}

test_input_file_is_missing() {
    echo_program
    for command in "trace --stdin" "explore --stdin-file" "predict --stdin-file"; do
        # shellcheck disable=SC2086
        run "$TANDEM" $command not-there ./target
        wants 1
        one_line 'not-there.*No such file'
    done
}

test_input_file_is_a_folder() {
    echo_program
    for command in "trace --stdin" "explore --stdin-file" "predict --stdin-file"; do
        # shellcheck disable=SC2086
        run "$TANDEM" $command . ./target
        wants 1
        one_line '\..*[Ii]s a directory'
    done
}

test_options_are_wrong() {
    echo_program
    for arguments in "trace --no-such ./target" "trace" "explore --time never ./target" "explore --execs -1 ./target" "predict --pairs x ./target"; do
        # shellcheck disable=SC2086
        run "$TANDEM" $arguments
        wants 1
        [ -s err ] && [ "$(wc -l < err)" -le 3 ] || die "$arguments: $(cat err)"
    done
    run "$TANDEM" no-such-command
    wants 1
    one_line 'no-such-command'
    run "$TANDEM"
    wants 1
    one_line 'no command'
}

# The one variable the runtime reads, with what never came from us: the program runs as ever.
test_variable_is_wrong() {
    echo_program
    head -c 8192 /dev/zero > zeros
    for value in '' x 0 1 99999999999999999999 7 -1 1048577; do
        TANDEM=$value run ./target
        wants 3
        [ "$(cat out)" = end ] && [ ! -s err ] || die "TANDEM=$value changes the output"
    done
    exec 9< zeros
    TANDEM=9 run ./target 9< zeros
    wants 3
    exec 9<&-
}

test_output_is_closed() {
    echo_program
    bounded "$TANDEM" trace ./target < /dev/null > /dev/null 2> err 1>&-
    status=$?
    [ "$status" != 0 ] && [ "$status" -lt 126 ] || die "standard output closed: status $status"
    bounded "$TANDEM" trace ./target < /dev/null 2>&- > out
    [ $? = 3 ] || die "standard error closed"
    bounded "$TANDEM" trace ./target <&- > out 2> err
    [ $? = 3 ] || die "standard input closed: $(cat err)"
}
