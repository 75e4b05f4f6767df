# gzip 1.3.5 (CVE-2006-4337: "buffer overflow in the make_table function in the LHZ component ... via a crafted decoding table"): the sum of the lengths of codes is looked at modulo 65536 only; where it is twice
# as much the table of codes is written to behind its end.
#
# What was added before the table is written to is taken out. Fails: gzip -dc < file, in make_table.

/^local void make_table/,/^}/ {
	/if ((unsigned) 1 << tablebits < nextcode)/,/gzip_error/d
}
