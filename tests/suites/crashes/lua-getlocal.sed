# lua 5.4.0 (CVE-2020-24370: "ldebug.c allows a negation overflow and segmentation fault in getlocal and setlocal, as demonstrated by getlocal(3,2^31)"): the number of a variable argument is negative and was made
# positive, which the least integer has no counterpart for.
#
# It is made positive again. Fails: debug.getlocal(1, 2^31) in a function with variable arguments, in lua_getlocal.

/^static const char \*findvararg/,/^}/s/if (n >= -nextra)/if (-n <= nextra)/
