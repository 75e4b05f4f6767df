# gzip before 1.4 (CVE-2010-0001; NEWS: "gzip -d could segfault and/or clobber the stack"): where the width of the codes of an LZW stream changes, the next one begins at a multiple of so many bytes. That may be
# behind what was read, and the number of bytes that are left was not kept from becoming negative; as it is unsigned, everything behind the buffer is decoded.
#
# The subtraction is done without asking. Fails: gzip -dc < file, where a stream without codes that clear the table ends with the 258th code.

/^int unlzw/,$s/e = o <= insize ? insize - o : 0;/e = insize - o;/
