# shellcheck shell=bash
# What real programs are for: for each a few jobs through its natural inputs (arguments, files, standard input, environment). What a
# trace foretells (predict.sh), how much of it is symbolic (reach.sh) and whether a recording replays (cases.sh) is asked of the
# same jobs. To be sourced behind lib.sh.
#
#   program_jobs NAME FUNCTION    calls FUNCTION NAME ARGUMENT... for each job, in a folder with nothing but the job's files, with
#                                     $work/stdin      its standard input
#                                     $given_options   what `tandem` is told of the files and the environment
#                                     $given_names     what `tandem record` is told of the environment
#   program_arguments ARGUMENT... sets `jobs` and `names` by [--jobs N] [NAME...]
. "$suites/programs.sh"

program_names="sed-regex cut sort xmlwf grep gawk find flex make busybox bash sqlite3 lua gzip tree"

program_arguments() {
    jobs=2 names=
    while [ $# -gt 0 ]; do
        case $1 in
        --jobs) jobs=$(value_of "$@"); shift ;;
        -*) die "unknown argument '$1'" ;;
        *)  case " $program_names " in *" $1 "*) ;; *) die "no program '$1' (known: $program_names)" ;; esac
            names="$names $1" ;;
        esac
        shift
    done
}

# --- what a job is given -----------------------------------------------------

repeat() { local i; for ((i = 0; i < $1; i++)); do printf "${2//@/$i}"; done; }

# stdin TEXT, file NAME TEXT, env NAME=VALUE: for the next job. As printf %b takes it.
stdin() { printf '%b' "$1" > "$work/stdin"; }
file() {
    mkdir -p "$(dirname "$work/job/$1")"
    printf '%b' "$2" > "$work/job/$1"
    touch -d @1000000000 "$work/job/$1"
    given_options+=(--file "$1=$1")
}
env_given() { given_options+=(--env "$1"); given_names+=(--env "${1%%=*}"); }

fresh_job() {
    given_options=() given_names=()
    : > "$work/stdin"
    rm -rf "$work/job"
    mkdir "$work/job"
}

job() {
    (cd "$work/job" && "$program_asked" "$program_of_job" "$@")
    fresh_job
}

program_jobs() {
    local program_of_job=$1 program_asked=$2
    fresh_job
    "${1//-/_}_jobs"
}

# --- the jobs ----------------------------------------------------------------

sed_regex_jobs() {
    stdin 'hello world\nabc 123 foo\n'
    job -n 's/o\([a-z]*\)/<\1>/p'
    stdin 'one two\nthree\n\nfour five\n'
    job -e '/^$/d' -e 's/[a-c]*e/E/g' -e 'y/fo/FO/'
    file data 'key=value\n# note\nx=1\n'
    job '/^#/!s/\(.*\)=\(.*\)/\2=\1/' data
}

cut_jobs() {
    stdin 'a:b:c\nd:e:f\nxx:yy\n'
    job -d: -f2
    stdin 'the quick brown fox\njumps over\n'
    job -c 3-7,9
    file data 'one two three\nfour\n five six\n'
    job -s -d ' ' -f 1,3- data
}

sort_jobs() {
    stdin 'pear\napple\nfig\napple\n'
    job -u
    file data '10 b\n9 a\n-3 c\n1e1 d\n'
    job -n -k1,1 data
    file data 'x:3:q\ny:20:p\nz:1:r\n'
    job -t: -k2,2nr -s data
}

# Long enough that the end, where xmlwf cleans up, is not the whole of the last quarter.
xmlwf_jobs() {
    stdin "<r>$(repeat 12 '<b c="@" d="&lt;@"/>')</r>\n"
    job
    stdin "<r>$(repeat 14 '<x><y><z/></y></x>')</r>\n"
    job
    stdin "<r>$(repeat 16 '<a@ b@="&#6@;"></a@>')</r>"
    job
    stdin '<?xml version="1.0"?>\n<!DOCTYPE d [<!ENTITY e "v">]><d>&e; text<!-- c --><![CDATA[ ]] ]]></d>\n'
    job
    file data "<r>$(repeat 9 '<b c="@" d="&lt;@"/><x><y/></x>')</r>\n"
    job data
    file data "<r>$(repeat 6 '<a@ b@="&#6@;"></a@>')</r>"
    job -r data
}

grep_jobs() {
    stdin 'hello world\nabc 123 foo\nfood\n'
    job -n 'fo*[a-z]'
    file data '# note\nkey=value\nx=1\n'
    job -c -v '^#' data
    file data 'ababx\ncdx\nab\nxyz\n'
    job -E '(ab|cd)+x?$' data
    stdin 'One two\nthree\nTWO\n'
    job -i -w -F two
}

gawk_jobs() {
    stdin 'a 1\nb 22\nc x\n'
    job '{ s += $2 } END { print s }'
    file data 'root:x:0\nbin:y:2\nron:z:33\n'
    job -F: '$1 ~ /^r/ { print $3, length($1) }' data
    file prog 'BEGIN { x["a"] = 1 }\n/b+/ { n++; sub(/b/, "<&>"); print toupper($0) }\nEND { printf "%d\\n", n }\n'
    file data 'abba\nxyz\ncab\n'
    job -f prog data
}

find_jobs() {
    file a.c 'int a;\n'
    file d/b.h 'x\n'
    file d/e.c ''
    job . -name '*.c'
    file a.c 'int a;\n'
    file d/b 'xyz\n'
    job . -type f -size -2 -perm 644 -o -name d
    file a 'x\n'
    file b 'y\n'
    job a b -newer a -printf '%f %s\n'
}

flex_jobs() {
    file data '%%\n[a-z]+  return 1;\n"if"|else { x(); }\n%%\n'
    job -t data
    file data '%option noyywrap\nD [0-9]\n%x S\n%%\n{D}+"."{D}*  ;\n<S>.  ;\n%%\nint x;\n'
    job -o out.c data
}

make_jobs() {
    file Makefile 'X = 1 $(Y)\nY := two\nall: a\n\t@echo $(X)\na:\n\ttouch $@\n'
    job -n
    file data 'S = a.c b.c\nO = $(S:.c=.o)\nifeq ($(words $(O)),2)\nall: $(sort $(O))\nendif\n%.o:\n\tcc $<\n'
    job -n -f data
    file a 'x\n'
    file Makefile 'b: a ; cp a b\n'
    job -q
}

busybox_jobs() {
    stdin 'a 1\nb 22\n'
    job awk '{ s += $2 } END { print s }'
    file data 'hello\nworld\n'
    job sed -n 's/o/0/p' data
    file data 'x=3\nif [ $x -gt 2 ]; then echo big; fi\n'
    job sh data
    job expr 3 + 4 '*' 2
}

bash_jobs() {
    file data 'x=abc\nfor i in 1 2; do echo "${x%c}$i"; done\n'
    job data
    file data 'f() { case $1 in a*) echo A;; *) echo $(( $2 * 3 ));; esac; }\nf ab; f x 7\n'
    job data
    stdin 'one two\n'
    job -c 'read -r a b; [[ $b == t* ]] && echo "$b $a"'
    file data 'if true; then\n  echo "a $((1+2))" | cat\nfi\n'
    job -n data
}

sqlite3_jobs() {
    stdin 'create table t(a,b);\ninsert into t values(1,2),(3,4);\nselect a+b from t where a>1;\n'
    job :memory:
    job :memory: "select upper('ab')||length('xyz'), 7%4"
}

lua_jobs() {
    file data 'local t = {3, 1, 2}\ntable.sort(t)\nprint(t[1] + #t)\n'
    job data
    stdin 'hello 12\n'
    job -e 'local s = io.read("l"); print(s:match("(%a+) (%d+)"))'
    file data 'local function f(n) if n < 2 then return n end return f(n-1) + f(n-2) end\nprint(f(5), ("x"):rep(3))\n'
    job data
}

gzip_jobs() {
    stdin 'abcabcabcabc hello hello\n'
    job -c
    file data.gz '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c\x4a\x4e\x84\x21\x00\x34\x2a\x6e\x5a\x0c\x00\x00\x00'
    job -dc data.gz
    file data 'x\n'
    job -1 -k data
}

tree_jobs() {
    file a.c 'int a;\n'
    file d/b.h 'x\n'
    job -s .
    file a.c 'int a;\n'
    file d/.e ''
    job -a -J -P '*.c' .
    file x/y/z '1\n'
    job -p -h --dirsfirst x
}
