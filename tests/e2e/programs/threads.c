// Threads: each has its own thread-locals and argument slots; the trace says that there was more than one.
// cc: -pthread
// cc: -pthread -O2 -static
// tandem: trace @
// stdin: abcdefgh
// expect: a second thread
// expect: main +not taken .*stdin\[
// predict: no
#include <pthread.h>
#include <stdio.h>

static _Thread_local long mine;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;
static char text[9];

static long mix(long a, long b) { return a * 31 + b; }

static void *work(void *argument)
{
	long n = (long)argument;
	for (int k = 0; k < 2000; k++)
		mine = mix(mine, text[(n + k) & 7] > 'd' ? n : k) & 0xffff;
	pthread_mutex_lock(&lock);
	total += mine;
	pthread_mutex_unlock(&lock);
	return (void *)mine;
}

int main(void)
{
	pthread_t t[4];
	if (!fgets(text, sizeof text, stdin))
		return 1;
	for (long i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, work, (void *)i))
			return 2;
	long sum = 0;
	for (int i = 0; i < 4; i++) {
		void *result;
		pthread_join(t[i], &result);
		sum += (long)result;
	}
	if (text[2] == '!')
		puts("!");
	printf("%d %ld\n", sum == total, total);
	return 0;
}
