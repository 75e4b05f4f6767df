. "$(dirname "$0")/lib.sh"

printf 'REC1\000\002\003\000' >plain
printf 'apple\000\000\000\012\000\000\000' >>plain
printf 'kiwi\000\000\000\000\000\001\000\000' >>plain
printf 'a\001b\000\000\000\000\000\000\000\001\000' >>plain
{
    printf 'REC1\001\004\001\000'
    printf 'longname\005\000\000\000'
} >quoted
printf 'REC1\002\004\001\000AZ\000\000\000\000\000\377\001\000\000\200' >hex

t 'plain names' 0 '3 records, 2 pages
apple 10
kiwi 256
a.b 65536' recs plain
t 'quoted names' 0 '1 records, 1 pages
"longname" 5' recs quoted
t 'hexadecimal names' 0 '1 records, 1 pages
415a0000000000ff 2147483649' recs hex
t 'pages' 0 '3 records, 2 pages
-- page 1
apple 10
kiwi 256
-- page 2
a.b 65536' recs -p plain
t 'total' 0 '3 records, 2 pages
apple 10
kiwi 256
a.b 65536
total 65802' recs -t plain
t 'standard input' 0 '1 records, 1 pages
"longname" 5
total 5' recs -t <quoted
t 'through a pipe' 0 'kiwi 256' sh -c 'cat plain | recs | grep kiwi'
t 'one record' 0 '3 records, 2 pages
kiwi 256' recs -r 2 plain
t 'one record and the total' 0 '3 records, 2 pages
a.b 65536
total 65802' recs -t -r 3 plain
t 'several by xargs' 0 '3 records, 2 pages
apple 10
3 records, 2 pages
a.b 65536' sh -c 'printf "1\n3\n" | xargs -I N recs -r N plain'
t 'record behind the last' 2 '3 records, 2 pages' sh -c 'recs -r 4 plain 2>errors'
t 'what it said' 0 'recs: no such record' cat errors
t 'record 0' 2 'recs: records are numbered from 1' recs -r 0 plain
t 'record x' 2 'recs: records are numbered from 1' recs -r x plain
t 'empty file' 2 'recs: no header' recs /dev/null
echo 'some text' >text
t 'other file' 2 'recs: not a record file' recs text
printf 'REC1\020\001\001\000' | t 'unknown flags' 2 'recs: unknown flags' recs
printf 'REC1\000\001\000\000' | t 'nothing in it' 2 'recs: no records' recs
printf 'REC1\000\001\001\000abcdefgh\001' >short
t 'short file' 2 '1 records, 1 pages' sh -c 'recs short 2>errors'
t 'what it said of it' 0 'recs: file ends too early' cat errors
t 'missing file' 2 'recs: cannot open the file' recs nothing
t 'two files' 2 'recs: one file only' recs plain hex
t 'unknown option' 2 "recs: invalid option -- 'z'
recs: usage: recs [-p] [-r N] [-t] [FILE]" recs -z
finish
