# shellcheck shell=bash
# How each package is configured, made and checked. Only the compiler is set: what is measured is an unmodified build. A package without
# a function of its own here is `./configure && make && make check`. To be sourced by lib.sh; all of it runs in the package's copy.
#
#   configure_NAME COMPILER    make_NAME COMPILER JOBS    check_NAME (checks.sh)
#
# jansson, libyaml and cjson are libraries without a configure script in their tarballs: of each a program is made that uses it, the only one that is wanted here.
# Debian's tarballs of gawk and make come without their manuals, so those parts are left out; busybox has no configure, lua neither.

configure_sed_regex() { ./configure -q CC="$1" --with-included-regex; }
configure_expat() { cd expat && ./configure -q CC="$1" --without-docbook; }
configure_tree() { :; }
configure_lua() { :; }
configure_jansson() { cp android/jansson_config.h src && printf "#define HAVE_%s_H 1\n" STDINT INTTYPES UNISTD FCNTL SYS_TIME SYS_STAT SYS_TYPES > src/jansson_private_config.h; }
configure_libyaml() { :; }
configure_cjson() { :; }
configure_busybox() { make HOSTCC="$REFERENCE" defconfig; }
configure_make() { # without the manual one file is named twice
    sed -i 's|po/Makefile.in Makefile|po/Makefile.in|' configure.ac && autoreconf -fi && ./configure -q CC="$1"
}

# Some of coreutils: the headers that gnulib makes come first, then the programs.
make_some_coreutils() {
    local jobs=$1
    shift
    printf 'include Makefile\n.PHONY: built\nbuilt: $(BUILT_SOURCES)\n' | make -f - -j"$jobs" built
    make V=1 -j"$jobs" "$@"
}

make_coreutils_all() { make V=1 -j"$2" man1_MANS= info_TEXINFOS=; }
make_coreutils() { make_some_coreutils "$2" src/cut src/sort; }
make_coreutils_eight() { make_some_coreutils "$2" $(printf 'src/%s ' $coreutils_eight); }
make_coreutils_zesti() { make_some_coreutils "$2" src/cut src/paste src/mkdir src/md5sum src/getlimits; }
make_coreutils_many() { make_some_coreutils "$2" $(printf 'src/%s ' $coreutils_many); }
make_expat() { cd expat && make V=1 -j"$2"; }
make_tree() { make CC="$1" -j"$2"; }
make_lua() { make -C src linux CC="$1 -std=gnu99" -j"$2"; }
make_jansson() { "$1" -DHAVE_CONFIG_H -O2 -g -Isrc -o pack "$suites/crashes/pack.c" src/*.c; }
make_libyaml() { "$1" -O2 -g -Iinclude -DYAML_VERSION_STRING='"0.2.5"' -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 -o run-parser tests/run-parser.c src/*.c; }
make_cjson() { "$1" -O2 -g -I. -o json "$suites/crashes/json.c" cJSON.c -lm; }
make_busybox() { make V=1 CC="$1" HOSTCC="$REFERENCE" SKIP_STRIP=y -j"$2"; }
make_gawk() { make V=1 -j"$2" -C support && make V=1 -j"$2" gawk && make V=1 -j"$2" -C extension; }
make_make() { make V=1 -j"$2" man_MANS=; }
make_sqlite3() { make -j"$2" sqlite3 testfixture; }
make_sqlite3_shell() { make -j"$2" sqlite3; }

package_function() { echo "$1_${2//-/_}"; }

package_configure() {
    local own
    own=$(package_function configure "$1")
    if declare -F "$own" > /dev/null; then "$own" "$2"; else ./configure -q CC="$2"; fi
}

package_make() {
    local own
    own=$(package_function make "$1")
    if declare -F "$own" > /dev/null; then "$own" "$2" "$3"; else make V=1 -j"$3"; fi
}
# shellcheck disable=SC2046
export -f package_function package_configure package_make make_some_coreutils $(declare -F | awk '$3 ~ /^(configure|make)_/ { print $3 }')
