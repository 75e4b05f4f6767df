. "$(dirname "$0")/lib.sh"

cat >people <<END
ada:36:london
grace:85:new york
no colons here
END
printf 'abcdefgh\nxyz\n' >letters

printf 'abcdef\n' | t 'one column' 0 b cutr -c 2
printf 'abcdef\n' | t 'several columns' 0 acf cutr -c 1,3,6
printf 'abcdef\n' | t 'from the start' 0 abc cutr -c -3
t 'closed range, two lines' 0 'cde
z' cutr -c 3-5 letters
t 'endless range' 0 'cdefgh
z' cutr -c 3- letters
t 'touching ranges with a separator' 0 'cde:fgh
z' cutr -c 3-5,6- -o : letters
t 'closed ranges with a separator' 0 'ab, gh
xy' cutr -c 1-2,7-8 -o ', ' letters
printf 'abcdefghijklmnopqrst' | t 'no newline at the end, long range' 0 jklmnopqrst cutr -c 10-20
printf 'abcdefgh\n' | t 'two endless ranges' 0 cdefgh cutr -c 5-,3-
printf 'a\tb\tc\n' | t 'fields split at tabs' 0 'a	c' cutr -f 1,3
t 'fields split at colons' 0 'ada:london
grace:new york
no colons here' cutr -d : -f 1,3 people
t 'only lines with the delimiter' 0 '36
85' cutr -s -d : -f 2 people
t 'fields with a separator' 0 '36 = london
85 = new york' cutr -s -d: -f2- -o ' = ' people
t 'two files' 0 'a
x
a
g
n' cutr -c 1 letters people
t 'files from xargs' 0 'c
z
a
a
 ' sh -c 'ls letters people | xargs cutr -c 3'
mkdir sub
t 'from another directory' 0 'h' sh -c 'cd sub && cutr -c 8 <../letters | grep .'
t 'missing file' 1 'cutr: cannot open nothing
abc
xyz' cutr -c 1-3 nothing letters
t 'position 0' 2 'cutr: positions start at 1' cutr -c 0
t 'position too large' 2 'cutr: position too large' cutr -c 12345
t 'range backwards' 2 'cutr: range ends before it starts' cutr -c 5-3
t 'dash alone' 2 'cutr: range without a position' cutr -c -
t 'letters in the list' 2 'cutr: bad list' cutr -c 3x
t 'too many ranges' 2 'cutr: too many ranges' cutr -c 1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8
t 'two lists' 2 'cutr: only one list may be given' cutr -c 1 -f 2
t 'long delimiter' 2 'cutr: the delimiter is one character' cutr -d ab -f 1
t 'no list' 2 'cutr: a list is needed' cutr letters
t 'unknown option' 2 "cutr: invalid option -- 'z'
cutr: usage: cutr -c LIST | -f LIST [-d CHAR] [-s] [-o TEXT] [FILE...]" cutr -z
finish
