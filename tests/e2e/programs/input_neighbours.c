// What a function of the library writes ends where it is told to, or with its object: terms behind that stay.
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[2\]
// expect: main +not taken .*stdin\[3\]
// expect: main +not taken .*stdin\[7\]
// expect: main +not taken .*stdin\[4\]
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct parts {
	char head[2], body[4];
};

int main(void)
{
	struct parts p;
	struct { struct stat s; char behind; } q;
	char alone[2];
	struct timespec t; /* of one that has no model */
	if (read(0, p.body, 4) != 4 || pread(0, p.head, 2, 6) != 2 || read(0, &q.behind, 1) != 1 || pread(0, alone, 2, 6) != 2)
		return 1;
	if (stat(".", &q.s) != 0 || clock_getres(CLOCK_REALTIME, &t) != 0)
		return 2;
	if (p.body[2] == 'x')
		puts("body");
	if (p.body[3] == 'x')
		puts("end of the body");
	if (alone[1] == 'x')
		puts("alone");
	if (q.behind == 'x')
		puts("behind");
	return 0;
}
