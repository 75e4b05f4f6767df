. "$(dirname "$0")/lib.sh"

cat >good.conf <<'END'
# the usual
name = "my \"little\" server"
  debug = no

host = localhost:80
port = dynamic
END
cat >bad.conf <<'END'
debug = maybe
color = red
port = random
port = 70000
just words
END

t 'all right' 0 '6 lines, 0 faults' confchk good.conf
t 'all right and quiet' 0 '' confchk -q good.conf
t 'many faults' 1 '1: debug: neither yes nor no
2: color: unknown key
3: port: not a port
4: port: set twice
4: port: not a port
5: just words: no value
5 lines, 6 faults' confchk bad.conf
t 'faults only' 1 6 sh -c 'confchk -q bad.conf >out; status=$?; wc -l <out; exit $status'
t 'value of a quoted name' 0 'my "little" server' confchk -k name good.conf
t 'value of a host' 0 localhost:80 confchk -k host <good.conf
t 'several values by xargs' 0 'no
dynamic' sh -c 'echo debug port | xargs -n 1 sh -c "confchk -k \$0 good.conf"'
echo 'name="abc"' | t 'quotes' 0 abc confchk -k name
echo 'name=abc' | t 'no quotes' 0 abc confchk -k name
echo 'name=' | t 'empty name' 1 '1: name: empty' confchk -q
echo 'name="a"b' | t 'text after the quote' 1 '1: name: text after the quote' confchk -q
echo 'port=8080' | t 'port' 0 8080 confchk -k port
echo 'port=80x' | t 'port with a letter' 1 '1: port: not a port' confchk -q
echo 'debug=yes' | t 'debug' 0 '1 lines, 0 faults' confchk
echo 'host=h:8' | t 'short host' 0 h:8 confchk -k host
echo 'host=web:99999' | t 'host with a bad port' 1 '1: host: not a port' confchk -q
echo 'host=:80' | t 'host without a name' 1 '1: host: host without a name' confchk -q
printf 'debug=no' | t 'no newline at the end' 0 '1 lines, 0 faults' confchk
mkdir sub
t 'from another directory' 0 '6 lines, 0 faults' sh -c 'cd sub && confchk ../good.conf'
head -c 300 /dev/zero | tr '\0' x | t 'long line' 2 'confchk: line too long' confchk
t 'empty file' 0 '0 lines, 0 faults' confchk /dev/null
t 'missing file' 2 'confchk: cannot open the file' confchk nothing
t 'two files' 2 'confchk: one file only' confchk good.conf bad.conf
t 'unknown option' 2 "confchk: invalid option -- 'z'
confchk: usage: confchk [-k KEY] [-q] [FILE]" confchk -z
finish
