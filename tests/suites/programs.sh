# shellcheck shell=bash
# The programs of real packages that suites and benchmarks run. To be sourced behind lib.sh.
#
#   program_build NAME ROLE JOBS    leaves the executable at $work/NAME.ROLE

# name     package        where make leaves it
programs='
sed        sed            sed/sed
sed-regex  sed-regex      sed/sed
cut        coreutils-eight src/cut
sort       coreutils-eight src/sort
expr       coreutils-eight src/expr
tr         coreutils-eight src/tr
printf     coreutils-eight src/printf
seq        coreutils-eight src/seq
paste      coreutils-eight src/paste
md5sum     coreutils-eight src/md5sum
xmlwf      expat          -
grep       grep           src/grep
gawk       gawk           gawk
find       findutils      find/find
flex       flex           src/flex
make       make           make
busybox    busybox        busybox_unstripped
bash       bash           bash
sqlite3    sqlite3-shell  sqlite3
lua        lua            src/lua
gzip       gzip           gzip
tree       tree           tree
'

program_build() {
    local name=$1 role=$2 jobs=$3 package path dir
    read -r package path < <(awk -v name="$name" '$1 == name { print $2, $3 }' <<< "$programs")
    package_build "$package" "$role" "$jobs" || return 1
    dir=$(package_dir "$package" "$role")
    if [ "$path" != - ]; then
        cp "$dir/$path" "$work/$name.$role.$$" && mv "$work/$name.$role.$$" "$work/$name.$role" # somebody may be using it
    else # what make leaves is a script that looks for the shared library
        "$(compiler_of "$role")" -O2 -g -o "$work/$name.$role.$$" "$dir"/expat/xmlwf/*.o "$dir/expat/lib/.libs/libexpat.a" && mv "$work/$name.$role.$$" "$work/$name.$role"
    fi
}
