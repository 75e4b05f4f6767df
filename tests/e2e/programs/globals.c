// Variables of all kinds, linked in all ways: the program sees no difference, and the table has the exact bounds.
// before: $CC -w ${FLAGS#* } -c $here/parts/globals_other.c -o other.o && ld -r other.o -o whole.o
// cc: other.o -g -O0 -fPIE -fcommon -DCOMMON
// cc: other.o -O2 -fno-pie -no-pie
// cc: other.o -O1 -static -fcommon -DCOMMON
// cc: other.o -O2 -fPIC -pie
// cc: whole.o -Os -ffunction-sections -fdata-sections -Wl,--gc-sections
// cc: other.o -O2 -fuse-ld=lld -ffunction-sections -fdata-sections -Wl,--gc-sections
// tandem: trace @
// stdin: 3
// expect: globals.c:.* main +taken .*stdin\[0\]
#include "parts/globals_rows.h"

#include <stddef.h>
#include <wchar.h>

enum { WRITABLE = TD_GLOBAL_INITIALISED, CONSTANT = TD_GLOBAL_CONSTANT };

struct flexible { short count; char kind; char text[]; };
struct __attribute__((packed)) packed { char c; int i; };
struct fields { unsigned a : 3, b : 7; signed c : 5; };
union either { char c; double d; long l[3]; };
struct node { struct node *next; int value; };

int plain = 5;
int zeroed[12];
char byte;
char whole_granule[16] = "0123456789abcde";
long double extended = 1.5L;
__attribute__((aligned(64))) char wide_aligned[3] = { 1, 2, 3 };
struct packed packed[3] = { { 'a', 1 }, { 'b', 2 }, { 'c', 3 } };
struct fields fields = { 5, 100, -7 };
union either either = { .c = 'u' };
struct flexible flexible = { 3, 'f', "longer than sizeof says" };
static struct flexible flexible_static = { 2, 's', { 1, 2 } };
struct node second, first = { &second, 1 }, second = { &first, 2 };
static const unsigned char classes[256] = { ['a'] = 1, ['0'] = 2 };
const char *const words[] = { "alpha", "beta", "alpha" };
const char array_of_text[] = "a constant array";
int *compound = (int[]){ 7, 8, 9 };
struct node *nested = &(struct node){ &first, 12 };
char nothing[0];
int weak_here __attribute__((weak)) = 1;
int weak_both __attribute__((weak)) = 3;
#ifdef COMMON
int shared_common[3];
#else
extern int shared_common[3];
#endif
int set_a __attribute__((section("numbers"), used)) = 100;
extern int __start_numbers[], __stop_numbers[];
_Thread_local int thread = 6;
extern _Thread_local int other_thread;
static int target[4] = { 1, 2, 3, 4 };
extern int other_name[4] __attribute__((alias("target")));
int in_assembly = 31, by_assembly;
extern int other_numbers[4];
extern const char *const other_names[];
const char *other_literal(void);
static int function_static(void)
{
	static int calls = 40;
	static char buffer[10];
	HAS_NO_ROW(nothing);
	row_expect("calls", &calls, sizeof calls, "function_static.calls", WRITABLE);
	row_expect("buffer", buffer, sizeof buffer, "function_static.buffer", 0);
	buffer[calls % 10] = 'x';
	return calls++ + buffer[0];
}

asm(".pushsection .data\n.globl reached\n.balign 8\nreached: .quad in_assembly\n.popsection");
extern int *reached;

static void *labels(int which)
{
	static void *const table[] = { &&zero, &&one };
	const char *name = __func__;
	goto *table[which & 1];
zero:
	return (void *)name;
one:
	return (void *)(name + 1);
}

static void check_rows(void)
{
	rows_check();
	HAS_ROW(plain, WRITABLE);
#ifdef COMMON /* the linker makes these, from what all files say */
	HAS_NO_ROW(zeroed);
	HAS_NO_ROW(byte);
	HAS_NO_ROW(shared_common);
#else
	HAS_ROW(zeroed, 0);
	HAS_ROW(byte, 0);
#endif
	HAS_ROW(whole_granule, WRITABLE);
	HAS_ROW(extended, WRITABLE);
	HAS_ROW(wide_aligned, WRITABLE);
	HAS_ROW(packed, WRITABLE);
	HAS_ROW(fields, WRITABLE);
	HAS_ROW(either, WRITABLE);
	row_expect("flexible", &flexible, offsetof(struct flexible, text) + 24, "flexible", WRITABLE);
	row_expect("flexible_static", &flexible_static, 5, "flexible_static", WRITABLE);
	HAS_ROW(first, WRITABLE);
	HAS_ROW(classes, CONSTANT);
	HAS_ROW(words, CONSTANT);
	HAS_ROW(array_of_text, CONSTANT);
	HAS_ROW(target, WRITABLE);
	HAS_ROW(in_assembly, WRITABLE);
	HAS_ROW(other_numbers, WRITABLE);
	row_expect("words[0]", words[0], 6, "string literal", CONSTANT);
	row_expect("L\"wide\"", L"wide", 20, "string literal", CONSTANT);
	row_expect("other_names[0]", other_names[0], 6, "string literal", CONSTANT);
	row_expect("compound", compound, 3 * sizeof(int), "compound literal", WRITABLE);
	row_expect("__func__", __func__, sizeof __func__, "__func__.check_rows", CONSTANT);
	HAS_ROW(weak_here, WRITABLE); /* the one in the other file */
	HAS_NO_ROW(weak_both);
	HAS_NO_ROW(set_a);
	HAS_NO_ROW(thread);
	HAS_NO_ROW(stdin);
}

int main(void)
{
	int sum = 0, c = getchar();
	if (c == '3')
		puts("three");
	check_rows();
	for (int *p = __start_numbers; p < __stop_numbers; p++)
		sum += *p;
	printf("set %d of %d\n", sum, (int)(__stop_numbers - __start_numbers));
	printf("%d %d %d %d %.1Lf\n", plain, zeroed[11], byte, whole_granule[15], extended);
	printf("%d %d %d %d\n", (int)((unsigned long)wide_aligned % 64), packed[2].i, fields.b, fields.c);
	printf("%c %s %d %d\n", either.c, flexible.text, flexible_static.text[1], (int)sizeof flexible);
	printf("%d %d %d\n", first.next->next->value, classes['0'], words[0] == words[2]);
	printf("%s %d %d %d\n", array_of_text, compound[2], nested->next->value, (int)sizeof nothing);
	printf("%d %d %d\n", weak_here, weak_both == 3 || weak_both == 4, shared_common[2]++);
	printf("%d %d %d\n", thread, other_thread, other_name[2] + (other_name == target));
	printf("%d %d %d\n", other_numbers[3], *reached, function_static() + function_static());
	printf("%s %s %s\n", other_names[1], other_literal(), (char *)labels(c));
	asm("movl %1, %%eax\n\tmovl %%eax, %0" : "=m"(by_assembly) : "m"(in_assembly) : "eax");
	printf("%d %ls %ls\n", by_assembly, L"wide", &L"string"[classes[(unsigned char)c]]);
	return 0;
}
