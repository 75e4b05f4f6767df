# paste of coreutils 6.10 goes on behind the end of its list of delimiters if that ends with a backslash: the character that is escaped is the
# end of the string, and is stepped over. KLEE (OSDI 2008) found it, ZESTI (ICSE 2012) from a test with -d (paste.c:107, distance 1).
#
# paste 9.1 has a case for the end, which is taken out. Fails: paste -d'\' file

/^collapse_escapes/,/^}/ {
	/case '\\0':/,/goto done;/d
	/^ done:/d
}
