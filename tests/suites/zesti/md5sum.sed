# md5sum -c of coreutils 6.10 looks for the last ')' of a line of BSD's form from its end back to its begin. Where nothing follows "MD5 (" the
# end is before the begin, and everything below is searched. KLEE (OSDI 2008) found it, ZESTI (ICSE 2012) too (md5sum.c:213, distance 10).
#
# md5sum 9.1 returns if nothing follows, and here does not. Fails: md5sum -c file, where file has the line "MD5 ("

/^bsd_split_3/,/^}/ {
	/if (s_len == 0)/,/return false;/d
}
