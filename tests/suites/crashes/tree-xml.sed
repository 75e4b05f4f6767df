# tree 2.0.2 (CHANGES: "Fixed segfault when an unknown directory is given with -X"): where nothing is known of a file the name of its element was asked for nevertheless.
#
# What was added for that is taken out. Fails: tree -X no-such

/^void xml_close/,/^}/s/file? file->tag : "unknown"/file->tag/
