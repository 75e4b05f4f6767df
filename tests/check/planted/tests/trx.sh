. "$(dirname "$0")/lib.sh"

echo hello | t 'one character' 0 heLLo trx l L
echo hello | t 'three characters' 0 jipp3 trx helo jip3
echo 'some text' | t 'range' 0 'SOME TEXT' trx a-z A-Z
echo abcdef | t 'short second set' 0 abxxxx trx c-f x
t 'newlines become commas' 0 'a,b,c,' trx '\n' , <<END
a
b
c
END
printf 'a b\tc\n' | t 'escaped space and tab' 0 'a_b_c' trx '\s\t' _
printf 'a\\b\n' | t 'escaped backslash' 0 a/b trx '\\' /
echo 1-2 | t 'a dash at the end of a set' 0 1+2 trx 0- 0+
echo banana | t 'delete' 0 bnn trx -d a
echo 'tel. 555-0123' | t 'delete a range' 0 'tel. -' trx -d 0-9
echo aabbccaa | t 'squeeze' 0 abcca trx -s ab
echo 'one    two  three' | t 'squeeze what was translated' 0 one_two_three trx -s '\s' _
t 'squeeze newlines' 0 'a
b' sh -c 'printf "a\n\n\nb\n" | trx -s "\n"'
t 'set from xargs' 0 HELLO sh -c 'echo "a-z A-Z" >sets; echo hello >in; xargs -a sets sh -c "trx \$0 \$1 <in"'
t 'twice' 0 'c b a' sh -c 'echo "a b c" | trx ac ca | trx "\t" "\s"'
t 'into a file' 0 'XYZ' sh -c 'echo xyz | trx x-z X-Z >out && cat out'
t 'range out of order' 2 'trx: range out of order' trx z-a x
t 'set too large' 2 'trx: set too large' trx ' -~ -~ -~' x
t 'empty set' 2 'trx: empty set' trx '' x
t 'one set' 2 'trx: two sets are needed' trx abc
t 'delete with two sets' 2 'trx: -d takes one set and no -s' trx -d a b
t 'unknown option' 2 'trx: usage: trx [-s] FROM [TO] | trx -d FROM' trx -q a b
finish
