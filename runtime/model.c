/* Which library functions have a model. A pointer to a library function is the library's own in both versions of the program, so
 * that it compares equal wherever it comes from; traced code asks here before it calls through a pointer. */
#include "object.h"

#include "contract/module.h"

#include <stdarg.h>

extern const struct td_model __start___td_models[] __attribute__((weak, visibility("hidden")));
extern const struct td_model __stop___td_models[] __attribute__((weak, visibility("hidden")));

enum { SLOTS = 2048 }; /* several times the rows of contract/model.def */

static const struct td_model *slots[SLOTS];
static bool ready;

static const struct td_model **slot_of(const void *function)
{
	uint64_t i = ((uint64_t)function * 0x9E3779B97F4A7C15ull) >> 32;
	while (slots[i % SLOTS] && slots[i % SLOTS]->function != function)
		i++;
	return &slots[i % SLOTS];
}

void model_prepare(void)
{
	if (ready)
		return;
	unsigned left = SLOTS - 1;
	for (const struct td_model *m = __start___td_models; m < __stop___td_models && left--; m++)
		if (m->function)
			*slot_of(m->function) = m;
	ready = true;
}

/* Below a page nothing is ever mapped. */
static void refuse_null(const void *function, const void *frame)
{
	if ((uint64_t)function < 4096)
		report_violation(&(struct violation){.kind = TD_VIOLATION_NULL, .address = (uint64_t)function, .frame = frame});
}

/* A program that defines the function itself has no need of a model. */
static void *model_of(void *function)
{
	if (!state_enter())
		return function;
	model_prepare();
	const struct td_model *m = *slot_of(function);
	void *callee = m && !module_knows(function) ? m->model : function;
	state_leave();
	return callee;
}

void *__td_callee(void *function)
{
	refuse_null(function, __builtin_frame_address(0));
	return model_of(function);
}

void *__td_through(void *last, void *pointer, uint32_t count, ...)
{
	refuse_null(pointer, __builtin_frame_address(0));
	void *callee = model_of(pointer);
	bool known = __td_known(callee);
	va_list arguments;
	va_start(arguments, count);
	if (!known)
		__td_handed("(through a pointer)");
	for (uint32_t i = 0; i < count && !known; i++)
		__td_external(va_arg(arguments, void *), 0, TD_EFFECT_UNKNOWN);
	va_end(arguments);
	if (known && callee == pointer)
		*(void **)last = pointer;
	return callee;
}
