#!/bin/bash
# Fetches the foreign sources our suites and benchmarks are measured on and
# unpacks them below the cache, because nothing downloaded is ever committed.
#
#   tests/suites/fetch.sh [NAME...]     see the table below
#
# Without a name: all of them. What is already there is left alone, so every
# other script simply calls this one first. The cache is $TANDEM_CACHE, else
# ~/.cache/tandem; the sources end up in $cache/src/NAME.
#
# The sources come from the Debian mirrors this machine already uses: its own
# apt entries are rewritten into a private configuration that also asks for
# sources. Nothing is installed and the machine's apt state is not changed.
set -euo pipefail

cache=${TANDEM_CACHE:-$HOME/.cache/tandem}
apt=$cache/apt
downloads=$cache/downloads

# name       source package   version
packages='
sed          sed              4.9
gzip         gzip             1.12
tree         tree             2.1
expat        expat            2.5
grep         grep             3.8
coreutils    coreutils        9.1
gawk         gawk             1:5.2.1
findutils    findutils        4.9
flex         flex             2.6.4
make         make-dfsg        4.3
busybox      busybox          1:1.35
bash         bash             5.2.15
sqlite3      sqlite3          3.40
lua          lua5.4           5.4
jansson      jansson          2.14
libyaml      libyaml          0.2.5
cjson        cjson            1.7.15
'
all="$(awk '{ print $1 }' <<< "$packages" | xargs) torture"

die() { echo "fetch: $*" >&2; exit 1; }

# --- the private apt configuration ------------------------------------------

# One-line entries: every "deb" line, once as it is and once as "deb-src".
# Keyrings named relative to /etc/apt keep working, the directory is not moved.
rewrite_lists() {
    cat /dev/null "$@" | awk '$1 == "deb" { print; sub(/deb/, "deb-src"); print }'
}

# deb822 stanzas: those that offer binaries, with both types. A stanza is kept
# whole (Signed-By may span lines); only its Types field is replaced.
rewrite_stanzas() {
    awk '
        function flush() {
            if (binary && !off) printf "Types: deb deb-src\n%s\n", stanza
            stanza = ""; binary = 0; off = 0
        }
        /^[ \t]*$/         { flush(); next }
        /^#/               { next }
        /^Types:/          { binary = / deb( |$)/; next }
        /^Enabled:[ \t]*no/ { off = 1 }
                           { stanza = stanza $0 "\n" }
        END                { flush() }'
}

# Each file is followed by an empty line, so that stanzas of two files cannot
# run together.
with_blank_lines() { for f in "$@"; do cat "$f"; echo; done; }

apt_configure() {
    mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/archives/partial"
    shopt -s nullglob
    local lists=(/etc/apt/sources.list.d/*.list)
    local stanzas=(/etc/apt/sources.list.d/*.sources)
    shopt -u nullglob
    [ ! -f /etc/apt/sources.list ] || lists+=(/etc/apt/sources.list)
    rewrite_lists "${lists[@]}" > "$apt/parts/machine.list"
    with_blank_lines "${stanzas[@]}" | rewrite_stanzas > "$apt/parts/machine.sources"
    [ -s "$apt/parts/machine.list" ] || [ -s "$apt/parts/machine.sources" ] ||
        die "no apt entries found in /etc/apt"
}

# apt drops to its own user, who cannot enter a private home; hence the first
# option, which only matters to root.
apt_options() {
    printf '%s\n' \
        -o APT::Sandbox::User="$(id -un)" \
        -o Dir::Etc::SourceList=/dev/null \
        -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" \
        -o Dir::Cache::Archives="$apt/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
        -o APT::Update::Post-Invoke-Success= -o APT::Update::Post-Invoke=
}

apt_ready=
apt_prepare() {
    [ -z "$apt_ready" ] || return 0
    apt_configure
    mapfile -t opts < <(apt_options)
    apt-get "${opts[@]}" -q update > "$cache/apt.log" 2>&1 ||
        die "apt-get update failed, see $cache/apt.log"
    apt_ready=yes
}

# --- sources ----------------------------------------------------------------

# All versions the mirrors list, newest first. A security update may be listed
# and gone, so callers try one after the other.
source_versions() {
    apt-cache "${opts[@]}" showsrc --only-source "$1" | awk '$1 == "Version:" { print $2 }' |
        sort -rVu
}

# Only the upstream tarball: Debian's patches do not matter to us, and with
# them out of the picture all versions are the same file.
download_tarball() {
    local name=$1 want=$2 version
    apt_prepare
    for version in $(source_versions "$name"); do
        case $version in "$want"*) ;; *) continue ;; esac
        (cd "$downloads" &&
            apt-get "${opts[@]}" -q source --tar-only --download-only "$name=$version") \
            >> "$cache/apt.log" 2>&1 && return 0
    done
    return 1
}

tarball_of() { find "$downloads" -name "$1_${2#*:}*.orig.tar.*" ! -name '*.asc' -print -quit; }

# Unpacked under a temporary name and renamed, so that an interrupted fetch is
# not mistaken for a finished one.
fetch_package() {
    local name=$1 package want tarball
    read -r _ package want <<< "$(grep "^$name " <<< "$packages")"
    tarball=$(tarball_of "$package" "$want")
    if [ -z "$tarball" ]; then
        download_tarball "$package" "$want" ||
            die "$name $want: no version could be downloaded, see $cache/apt.log"
        tarball=$(tarball_of "$package" "$want")
        [ -n "$tarball" ] || die "$name $want: apt left no tarball in $downloads"
    fi
    rm -rf "$cache/src/$name.tmp"
    mkdir -p "$cache/src/$name.tmp"
    tar -xf "$tarball" -C "$cache/src/$name.tmp" --strip-components=1
    mv "$cache/src/$name.tmp" "$cache/src/$name"
}

# --- autotools --------------------------------------------------------------

# expat's tarball is a git export without configure. Where autoreconf is not
# installed its packages are unpacked below the cache and their scripts told
# where they now are: they are text with /usr paths in them.
autotools_path() {
    local prefix=$cache/autotools
    if type -P autoreconf > /dev/null && type -P libtoolize > /dev/null; then
        echo "$PATH"
        return 0
    fi
    if [ ! -d "$prefix" ]; then
        apt_prepare
        rm -rf "$prefix.tmp"
        mkdir -p "$prefix.tmp"
        (cd "$prefix.tmp" && apt-get "${opts[@]}" -q download autoconf automake libtool m4 autotools-dev) \
            >> "$cache/apt.log" 2>&1 || die "autoconf could not be downloaded, see $cache/apt.log"
        for deb in "$prefix.tmp"/*.deb; do dpkg-deb -x "$deb" "$prefix.tmp"; done
        (grep -rlI '/usr/' "$prefix.tmp/usr/bin" "$prefix.tmp/usr/share" |
            xargs sed -i -E "s#/usr/(share/(autoconf|automake|aclocal|libtool|misc)|bin/(m4|auto[a-z0-9]*|aclocal))#$prefix&#g")
        ln -s automake-1.16 "$prefix.tmp/usr/bin/automake" 2>/dev/null || true
        ln -s aclocal-1.16 "$prefix.tmp/usr/bin/aclocal" 2>/dev/null || true
        mv "$prefix.tmp" "$prefix"
    fi
    echo "$prefix/usr/bin:$PATH"
}

fetch_expat() {
    local path dir=$cache/src/expat
    path=$(autotools_path)
    fetch_package expat
    mv "$dir" "$dir.tmp"
    (cd "$dir.tmp/expat" && PATH=$path ./buildconf.sh) > "$cache/expat.buildconf.log" 2>&1 ||
        die "expat: buildconf.sh failed, see $cache/expat.buildconf.log"
    mv "$dir.tmp" "$dir"
}

# The torture suite is in a binary package that holds GCC's tarball.
fetch_torture() {
    local deb work=$cache/src/torture.tmp
    deb=$(ls "$downloads"/gcc-12-source_*.deb 2>/dev/null | head -n 1 || true)
    if [ -z "$deb" ]; then
        apt_prepare
        (cd "$downloads" && apt-get "${opts[@]}" -q download gcc-12-source) >> "$cache/apt.log" 2>&1 ||
            die "gcc-12-source could not be downloaded, see $cache/apt.log"
        deb=$(ls "$downloads"/gcc-12-source_*.deb | head -n 1)
    fi
    rm -rf "$work"
    mkdir -p "$work"
    dpkg-deb --fsys-tarfile "$deb" |
        tar -xOf - --wildcards './usr/src/gcc-12/gcc-*.tar.*' |
        tar -xJf - -C "$work" --strip-components=4 --wildcards '*/gcc/testsuite/gcc.c-torture/execute'
    [ -d "$work/execute" ] || die "no gcc.c-torture/execute in $deb"
    mv "$work/execute" "$cache/src/torture"
    rmdir "$work"
}

fetch() {
    [ ! -d "$cache/src/$1" ] || return 0
    echo "fetch: $1" >&2
    case $1 in
    expat)     fetch_expat ;;
    torture)   fetch_torture ;;
    *)         [[ " $all " = *" $1 "* ]] || die "unknown name '$1' (known: $all)"
               fetch_package "$1" ;;
    esac
}

mkdir -p "$downloads" "$cache/src"
exec 9> "$cache/fetch.lock"
flock 9
[ $# -gt 0 ] || set -- $all
for name in "$@"; do fetch "$name"; done
