# libyaml 0.1.5 (CVE-2014-2525: "heap-based buffer overflow in the yaml_parser_scan_uri_escapes function ... via a long sequence of percent-encoded characters in a URI in a YAML file").
#
# No room is made for them. Fails: run-parser file

/^yaml_parser_scan_tag_uri/,/^}/ {
	/if (CHECK(parser->buffer, '%'))/,/uri_escapes/ {
		/STRING_EXTEND/,/goto error/d
	}
}
