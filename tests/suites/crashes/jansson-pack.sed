# jansson before 2.12 (issue 421; CHANGES: "Avoid invalid memory read in json_pack()"): behind the end of a format is read on.
#
# The end is stepped over again, and not looked for before. Fails: json_pack("{s:"), in next_token.

/^static void next_token/,/^}/ {
	/if (!token(s) && !\*s->fmt)/,/return;/d
	/if (\*t)/d
}
