#!/bin/bash
# Library functions without a model, and models that hand memory to the system: each line is a call that touches one byte too many, or what was freed,
# and must be reported under the name of the function that does, at the line of the program. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "library: $*"; failures=$((failures + 1)); }

# wrong CLASS FUNCTION STATEMENT: b is a block of 8 bytes without an end, f one that was freed, s a local array of 8, d an open file.
wrong() {
    cat > one.c <<C
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int list(char *to, const char *format, ...) { va_list l; va_start(l, format); int n = vsprintf(to, format, l); va_end(l); return n; }
int main(int argc, char **argv)
{
	char *b = memset(malloc(8), 'b', 8), *f = strdup("freed"), s[8] = "local";
	struct tm tm = {.tm_year = 100, .tm_mday = 1};
	int d = open("/proc/self/exe", O_RDONLY);
	free(f);
#line 100
	$3;
	return 0;
}
C
    "$cc" -w -g one.c -o one 2> log || { fail "$3: $(head -n 3 log)"; return; }
    timeout 20 "$tandem" trace --quiet ./one > out 2> report < /dev/null
    local place='one\.c:100:'
    [ "$2" = vsprintf ] && place='list at '
    grep -q "^==TANDEM: $1:" report && sed -n 2p report | grep -qx "    #0 $2" && sed -n 3p report | grep -q "$place" || fail "$3: $(head -n 3 report)"
}

wrong heap-overflow puts 'puts(b)'
wrong heap-overflow fputs 'fputs(b, stdout)'
wrong use-after-free puts 'puts(f)'
wrong heap-overflow fopen 'fopen(b, "r")'
wrong use-after-free printf 'printf(f)'
wrong heap-overflow fwrite 'fwrite(b, 3, 3, stdout)'
wrong heap-overflow write 'write(1, b, 9)'
wrong stack-overflow read 'read(d, s, 9)'
wrong heap-overflow pread 'pread(d, b, 12, 3)'
wrong heap-overflow readv 'struct iovec v[2] = {{s, 8}, {b, 9}}; readv(d, v, 2)'
wrong heap-overflow stat 'stat(".", (void *)b)'
wrong heap-overflow fstat 'fstat(d, (void *)b)'
wrong heap-overflow strftime 'strftime(b, 20, "%Y-%m-%d", &tm)'
wrong heap-overflow getcwd 'getcwd(b, 4096)'
wrong heap-overflow readlink 'readlink("/proc/self/exe", b, 4096)'
wrong use-after-free strtod 'strtod(f, NULL)'
wrong heap-overflow localtime_r 'time_t t = 0; localtime_r(&t, (void *)b)'
wrong heap-overflow sprintf 'sprintf(b, "%08d", argc)'
wrong heap-overflow snprintf 'snprintf(b, 20, "%s%s", s, s)'
wrong heap-overflow vsprintf 'list(b, "%s %d", s, 10)'
wrong heap-overflow __isoc99_sscanf 'int n; sscanf("1 12345678", "%d %s", &n, b)'
wrong heap-overflow __isoc99_sscanf 'long long *p = (void *)(b + 1); sscanf("5", "%lld", p)'
wrong heap-overflow qsort 'qsort(b, 3, 3, order)'
wrong heap-overflow memccpy 'memccpy(b, "123456789", 0, 20)'
wrong mapping-overflow read 'char *m = mmap(0, 100, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); read(d, m + 90, 11); munmap(m, 100)'
[ $failures = 0 ]
