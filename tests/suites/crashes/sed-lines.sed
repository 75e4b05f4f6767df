# sed 4.3 to 4.5 (bug#32271; NEWS: "no longer accesses invalid memory (heap overflow) with s/$//n regexes"): the end of a line is looked for from somewhere in the text, but in as many bytes as all of it has.
#
# The number of bytes is that of all of the text again. Fails: sed 'N;s/$//2m'.

/^match_regex/,/^}/ {
	/if (regex->endline)/,/offset = p/ {
		s/buflen - buf_start_offset)/buflen)/
	}
}
