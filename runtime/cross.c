/* From the concrete side to the symbolic one: what is live is written into the state (contract/region.h). */
#include "object.h"

#include "contract/region.h"

#include <stdarg.h>

static void fill(char *state, const struct td_live *live, va_list arguments)
{
	for (const struct td_live *l = live; l->bits; l++) {
		uint64_t word;
		if (l->kind == TD_LIVE_FLOAT) {
			double number = va_arg(arguments, double); /* a float is its lower half */
			__builtin_memcpy(&word, &number, sizeof word);
		} else {
			word = va_arg(arguments, uint64_t);
		}
		if (l->kind == TD_LIVE_NOT)
			continue;
		if (l->bits < 64)
			word &= (1ull << l->bits) - 1;
		__builtin_memcpy(state + l->offset, &word, (l->bits + 7u) / 8);
	}
}

void __td_hand_over(void *live, void *state, ...)
{
	va_list arguments;
	va_start(arguments, state);
	fill(state, live, arguments);
	va_end(arguments);
}

/* Registers as va_arg wants them, then what is on the stack. */
__attribute__((used)) static uint32_t cross(void *registers, void *stack)
{
	va_list arguments;
	arguments[0].gp_offset = 0;
	arguments[0].fp_offset = 6 * sizeof(uint64_t);
	arguments[0].reg_save_area = registers;
	arguments[0].overflow_arg_area = stack;
	const struct td_crossing *crossing = va_arg(arguments, const void *);
	const struct td_look *looks = (const struct td_look *)(crossing + 1), *end = looks;
	char *state = va_arg(arguments, char *);
	uint64_t pointers[TD_ASK_POINTERS];
	va_list first;
	va_copy(first, arguments);
	for (uint32_t k = 0; k < crossing->pointers; k++)
		pointers[k] = va_arg(first, uint64_t);
	va_end(first);
	if (!check_leaves(looks, pointers))
		return 0;
	while (end->kind != TD_LOOK_END)
		end++;
	fill(state, (const struct td_live *)(end + 1), arguments);
	return crossing->where;
}

/* The convention of the hooks that are called out of line, preserve_most, which C does not have for variadic functions: all
 * general registers but the result's and r11 are kept. */
__attribute__((naked)) uint32_t __td_cross(void *crossing, void *state, ...)
{
	__asm__("pushq %rbp\n\t"
	        "movq %rsp, %rbp\n\t"
	        "pushq %r10\n\t"
	        "subq $184, %rsp\n\t" /* 6 general registers, 8 of 16 bytes, 8 to keep the stack aligned */
	        "movq %rdi, 0(%rsp)\n\t"
	        "movq %rsi, 8(%rsp)\n\t"
	        "movq %rdx, 16(%rsp)\n\t"
	        "movq %rcx, 24(%rsp)\n\t"
	        "movq %r8, 32(%rsp)\n\t"
	        "movq %r9, 40(%rsp)\n\t"
	        "testb %al, %al\n\t"
	        "je 1f\n\t"
	        "movaps %xmm0, 48(%rsp)\n\t"
	        "movaps %xmm1, 64(%rsp)\n\t"
	        "movaps %xmm2, 80(%rsp)\n\t"
	        "movaps %xmm3, 96(%rsp)\n\t"
	        "movaps %xmm4, 112(%rsp)\n\t"
	        "movaps %xmm5, 128(%rsp)\n\t"
	        "movaps %xmm6, 144(%rsp)\n\t"
	        "movaps %xmm7, 160(%rsp)\n\t"
	        "1:\n\t"
	        "movq %rsp, %rdi\n\t"
	        "leaq 16(%rbp), %rsi\n\t"
	        "callq cross\n\t"
	        "movq 0(%rsp), %rdi\n\t"
	        "movq 8(%rsp), %rsi\n\t"
	        "movq 16(%rsp), %rdx\n\t"
	        "movq 24(%rsp), %rcx\n\t"
	        "movq 32(%rsp), %r8\n\t"
	        "movq 40(%rsp), %r9\n\t"
	        "movq -8(%rbp), %r10\n\t"
	        "leave\n\t"
	        "retq");
}
