// A variadic call with nothing on the stack leaves the terms of its caller's variables alone, which lie where its arguments would; one with
// arguments on the stack does not take the terms of what was there before for theirs.
// cc: -O0
// cc: -O2
// tandem: trace @
// stdin: abcdefgh
// expect: main +taken +stdin\[0\] == 'a'
// expect: main +taken +stdin\[7\] == 'h'
// never: sum .*stdin
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static int first(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = va_arg(list, int);
	va_end(list);
	return n;
}

__attribute__((noinline)) static int sum(int count, ...)
{
	va_list list;
	int n = 0;
	va_start(list, count);
	for (int i = 0; i < count; i++) {
		int v = va_arg(list, int);
		if (v == 7 || v == 'a')
			n++;
		n += v;
	}
	va_end(list);
	return n;
}

/* Leaves terms on the stack below its caller. */
__attribute__((noinline)) static int leave(const char *from)
{
	volatile char here[256];
	int n = 0;
	for (int i = 0; i < 256; i++)
		here[i] = from[i % 8];
	for (int i = 0; i < 256; i++)
		n += here[i] == 'z';
	return n;
}

int main(void)
{
	char text[8];
	if (read(0, text, 8) != 8)
		return 1;
	first("x", 3);
	if (text[0] == 'a')
		puts("a");
	leave(text);
	printf("%d\n", sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 'a', 0x64636261, 0));
	if (text[7] == 'h')
		puts("h");
	return 0;
}
