. "$(dirname "$0")/lib.sh"

t 'plus' 0 3 calc '1 2 +'
t 'minus' 0 -1 calc '1 2 -'
t 'times' 0 42 calc '6 7 *'
t 'divide' 0 3 calc '7 2 /'
t 'remainder' 0 1 calc '7 2 %'
t 'negative remainder' 0 -1 calc '7n 2%'
t 'divide by -1' 0 -5 calc '5 1 n /'
t 'the smallest by -1' 0 -9223372036854775808 calc '9223372036854775808 1n /'
t 'square' 0 144 calc '12 d *'
t 'exchange' 0 1 calc '1 2 x -'
t 'sum of the digits' 0 6 calc '123~x~+ +'
t 'five numbers' 0 15 calc '1 2 3 4 5 + + + +'
t 'nested' 0 21 calc '1 2 + 3 4 + *'
t 'hexadecimal' 0 ff calc -x '255'
t 'wrap around' 0 ffffffffffffffff calc -x '0 1 -'
t 'two calculations' 0 '3
12' calc '1 2 +' '3 4 *'
t 'from standard input' 0 '3
-4
25' calc <<END
1 2 +
4 n
5 d *
END
printf '8 3 -' | t 'no newline at the end' 0 5 calc
t 'squares by xargs' 0 '1
4
9' sh -c 'printf "1\n2\n3\n" | xargs -I N calc "N N *"'
t 'a result used again' 0 9 sh -c 'calc "$(calc "1 2 +") d *"'
t 'into a file' 0 7 sh -c 'echo "3 4 +" | calc >out; cat out'
t 'division by zero' 2 'calc: division by zero' calc '1 0 /'
t 'too few numbers' 2 'calc: too few numbers' calc '1 +'
t 'nothing' 2 'calc: too few numbers' calc ''
t 'nothing to split' 2 'calc: too few numbers' calc '~'
t 'too many numbers' 2 'calc: too many numbers' calc '1 2'
t 'unknown operator' 2 'calc: unknown operator' calc '1 2 ?'
finish
