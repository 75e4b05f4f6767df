# Sourced: the texts and programs that are measured. Wants $work, $jobs and tests/suites/lib.sh.
bench=$ROOT/bench
. "$suites/programs.sh"

# --- inputs, the same on every machine --------------------------------------

# make_text BYTES: lines of words from a small vocabulary and numbers, drawn by
# a fixed linear congruence (awk's own rand differs between awks).
make_text() {
    awk -v bytes="$1" '
        function draw(n) { x = (x * 16807) % 2147483647; return x % n }
        BEGIN {
            x = 20231
            for (i = 0; i < 400; i++) {
                w = ""
                for (k = 2 + draw(8); k > 0; k--) w = w substr("etaoinshrdlucmfwypvbgkjqxz", 1 + draw(26), 1)
                word[i] = w
            }
            while (size < bytes) {
                line = draw(4) ? "" : draw(100000) ": "
                for (k = 4 + draw(9); k > 0; k--) line = line word[draw(400)] (draw(9) ? " " : ", ")
                line = line (draw(5) ? "end." : "<" word[draw(400)] ">")
                print line
                size += length(line) + 1
            }
        }' | head -c "$1" || true
}

make_xml() {
    awk -v bytes="$1" '
        function draw(n) { x = (x * 16807) % 2147483647; return x % n }
        BEGIN {
            x = 4711
            print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE items [<!ENTITY co \"Company\"> <!ELEMENT items ANY>]>\n<items>"
            while (size < bytes) {
                e = "  <item id=\"i" ++n "\" kind=\"k" draw(20) "\" price=\"" draw(9999) "." draw(99) "\">\n" \
                    "    <name>Item &amp; number " n " of &co;</name>\n"
                if (!draw(4)) e = e "    <!-- checked " draw(1000) " -->\n"
                if (!draw(5)) e = e "    <raw><![CDATA[a < b && " draw(1000) " > c]]></raw>\n"
                for (k = draw(4); k > 0; k--) e = e "    <tag:t xmlns:tag=\"urn:t" draw(5) "\" v=\"&#" 65 + draw(26) ";\"/>\n"
                e = e "    <text>Gr\303\274\303\237e, caf\303\251 number " draw(100000) " and some running text.</text>\n  </item>"
                print e
                size += length(e) + 1
            }
            print "</items>"
        }'
}

make_once() { [ -s "$work/$1" ] || { "${@:2}" > "$work/$1.tmp" && mv "$work/$1.tmp" "$work/$1"; }; }

inputs_make() {
    make_once text.1m make_text 1048576
    make_once text.4m make_text 4194304
    make_once doc.xml make_xml 2097152
}

# --- programs ---------------------------------------------------------------

is_loop() { case $1 in crc|adler|fnv|words) true ;; *) false ;; esac; }

# variant_build NAME ROLE: leaves the executable at $work/NAME.ROLE.
variant_build() {
    if [ -f "$bench/programs/$1.c" ]; then
        "$(compiler_of "$2")" -O2 -g -o "$work/$1.$2" "$bench/programs/$1.c"
    else
        program_build "$1" "$2" "$jobs"
    fi
}
