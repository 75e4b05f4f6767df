# cJSON before 1.7.11 (CVE-2019-11834 and 11835; CHANGELOG: "Fix a bug where cJSON_Minify could overflow it's buffer, both reading and writing"): a comment that does not end is searched for its end behind the text.
#
# Only the end of the comment ends the search. Fails: cJSON_Minify of /*

/^static void skip_multiline_comment/,/^}/s/(\*input)\[0\] != '\\0'//
