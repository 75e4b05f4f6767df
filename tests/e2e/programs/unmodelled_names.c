// What the system is told is fixed no further than needed: a name as far as its null, and nothing of what only the library looks into.
// stdin: nowhere at all, and what lies behind
// tandem: trace @
// expect: lost +memory given to an unmodelled function: stdin\[0\] = 110
// expect: lost +memory given to an unmodelled function: stdin\[6\] = 101
// expect: symbolic branches
// expect: open +1 +0 +7
// never: stdin\[8\] = 97
// never: pthread
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char text[64] = "";
	pthread_mutex_t once;
	if (read(0, text, 40) < 34) return 1;
	text[7] = '\0';
	if (open(text, O_RDONLY) >= 0) return 2;
	memcpy(&once, text, 20);
	pthread_mutex_init(&once, NULL);
	pthread_mutex_lock(&once);
	pthread_mutex_unlock(&once);
	puts(text[8] == 'a' && text[9] > text[10] ? "a" : "b");
	return 0;
}
