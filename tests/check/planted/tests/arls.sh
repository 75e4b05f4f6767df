. "$(dirname "$0")/lib.sh"

# entry NAME TYPE MODE DATA
entry() {
    printf %s "$1"
    head -c $((16 - ${#1})) /dev/zero
    printf '%s%s%06d\n%s' "$2" "$3" ${#4} "$4"
}

{
    printf ARC1
    entry readme.txt f 0644 'Hello, reader.'
    entry src d 0755 ''
    entry src/main.c f 0644 'int main(void) { return 0; }'
    entry latest l 0777 'src/main.c'
    entry run.sh f 0755 'exec ./main'
} >demo.arc
{
    printf ARC1
    entry configuration.h f 0600 ''
} >long.arc

t 'names' 0 'readme.txt
src
src/main.c
latest
run.sh' arls demo.arc
t 'all of it' 0 'rw-r--r-- file       14 readme.txt
rwxr-xr-x dir         0 src
rw-r--r-- file       28 src/main.c
rwxrwxrwx link       10 latest
rwxr-xr-x file       11 run.sh' arls -l demo.arc
t 'standard input' 0 'rw------- file        0 configuration.h' arls -l <long.arc
t 'a long name' 0 configuration.h arls long.arc
{ printf ARC1; entry latest l 0777 ''; } | t 'a link' 0 'rwxrwxrwx link        0 latest' arls -l
t 'first entry' 0 readme.txt arls -n 1 demo.arc
t 'first three entries' 0 3 sh -c 'arls -n 3 demo.arc | wc -l'
t 'more than there are' 0 'readme.txt
src
src/main.c
latest
run.sh' arls -n 9 demo.arc
t 'last entries' 0 'latest
run.sh' arls -n -002 demo.arc
t 'last ten of five' 0 5 sh -c 'arls -n -10 demo.arc | wc -l'
t 'by permissions' 0 'readme.txt
src/main.c' arls -m 0644 demo.arc
t 'by permissions, all of it' 0 'rwxr-xr-x dir         0 src
rwxr-xr-x file       11 run.sh' arls -l -m 0755 demo.arc
t 'by permissions, one entry' 0 configuration.h arls -m 0600 long.arc
t 'permissions nobody has' 0 '' arls -m 0000 demo.arc
t 'several archives by xargs' 0 'readme.txt
configuration.h' sh -c 'ls *.arc | xargs -n 1 arls -n 1'
mkdir sub
t 'from another directory' 0 configuration.h sh -c 'cd sub && arls ../long.arc'
printf ARC1 | t 'nothing in it' 0 '' arls
t 'empty file' 2 'arls: not an archive' arls /dev/null
echo 'some text' | t 'other file' 2 'arls: not an archive' arls
head -c 20 demo.arc | t 'short header' 2 'arls: header ends too early' arls
head -c 40 demo.arc | t 'short data' 2 'arls: data ends too early' arls
tr '\n' x <long.arc | t 'damaged header' 2 'arls: damaged header' arls
{ printf ARC1; entry '' f 0644 ''; } | t 'no name' 2 'arls: entry without a name' arls
{ printf ARC1; entry a f 06x4 ''; } | t 'bad digit' 2 'arls: bad digit in a number' arls
t 'permissions with 9' 2 'arls: bad digit in a number' arls -m 9 demo.arc
t 'large permissions' 2 'arls: permissions end at 0777' arls -m 1777 demo.arc
t 'long number' 2 'arls: a number has 1 to 6 characters' arls -n 1234567 demo.arc
t 'a sign alone' 2 'arls: a sign alone is no number' arls -n - demo.arc
t 'missing file' 2 'arls: cannot open the archive' arls nothing
t 'two archives' 2 'arls: one archive only' arls demo.arc long.arc
t 'unknown option' 2 "arls: invalid option -- 'z'
arls: usage: arls [-l] [-m MODE] [-n N] [FILE]" arls -z
finish
