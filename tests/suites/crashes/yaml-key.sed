# libyaml 0.1.6 (CVE-2014-9130: "scanner.c allows to cause a denial of service (assertion failure and crash) via vectors involving line-wrapping"): that a key is allowed where one is required was thought to be certain.
#
# The assertion comes back. Fails: run-parser file

/^yaml_parser_save_simple_key/,/^}/ {
	/If the current position may start a simple key/{
		x
		s/.*/    assert(parser->simple_key_allowed || !required);/
		x
		:more
		n
		/\*\//!b more
		G
	}
}
