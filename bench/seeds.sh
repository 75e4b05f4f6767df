# shellcheck shell=bash
# Sourced: the one trivial seed that explorations of Debian's programs start from.

# seed_of NAME: sets `arguments` and `input` (as printf %b takes it).
seed_of() {
    arguments=() input='a\n'
    case $1 in
    cut)     arguments=(-f1) ;;
    expr)    arguments=(1 + 1) input="" ;;
    tr)      arguments=(a b) ;;
    printf)  arguments=(%s a) input="" ;;
    seq)     arguments=(1 3) input="" ;;
    sort)    arguments=(-n) input='b\na\n' ;;
    paste)   arguments=(- -) input='a\nb\n' ;;
    md5sum)  arguments=(-c -) ;;
    sed|sed-regex) arguments=(p) ;;
    grep)    arguments=(a) ;;
    xmlwf)   input='<?xml version="1.0"?>\n<a b="c"><d>te&lt;</d><!-- e --></a>\n' ;; # 59 bytes
    tree)    arguments=(--fromfile .) input='a/b\nc\n' ;;
    gawk)    arguments=('{print}') input='a b\n' ;;
    esac
}
