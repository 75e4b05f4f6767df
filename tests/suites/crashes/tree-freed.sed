# tree 2.0.2 (CHANGES: "Fix use after free (causing segfault) for dir/subdir in list.c"): the list of a directory that was given is freed and still used for the next one, if that cannot be read.
#
# The variable keeps its value. Fails: tree directory no-such

/^void emit_tree/,/^}/ {
	/free_dir(dir);/,/}/ {
		/dir = NULL;/d
	}
}
