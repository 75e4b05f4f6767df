/* What functions of the library that have no model do to memory, as far as their arguments or results say how much: calls of them get
 * hooks in front or behind (runtime/library.c). All but the checks is effect.c's business. An entry has a word per check:
 *
 *   r or w, an argument that is a pointer, and one of
 *     z      a string that must end inside of its object
 *     =N     N bytes
 *     >K     as many bytes as the result says, if it is positive, times argument K, if there is one; with a + one more
 *     ?N     N bytes if the result is 0
 *     !      a string, if the result is not null: it was written
 *
 * A check that could be wrong is not made: what a function merely might touch is not in here. A declaration that does not fit the words is
 * another function of that name. Sorted by name. */
#include "compile/bounds.h"
#include "compile/weave.h"

#include "contract/report.h"

#include <llvm-c/DebugInfo.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct library {
	const char *name, *checks;
};

static const struct library table[] = {
	{"asctime", "r0=44"},
	{"asctime_r", "r0=44 w1!"},
	{"chdir", "r0z"},
	{"chmod", "r0z"},
	{"creat", "r0z"},
	{"ctime", "r0=8"},
	{"ctime_r", "r0=8 w1!"},
	{"dprintf", "r1z"},
	{"fdopen", "r1z"},
	{"fopen", "r0z r1z"},
	{"fopen64", "r0z r1z"},
	{"fprintf", "r1z"},
	{"fputs", "r0z"},
	{"fputs_unlocked", "r0z"},
	{"freopen", "r0z r1z"},
	{"frexp", "w1=4"},
	{"getcwd", "w0!"},
	{"getenv", "r0z"},
	{"getrlimit", "w1?16"},
	{"getrusage", "w1?144"},
	{"gmtime", "r0=8"},
	{"gmtime_r", "r0=8 w1!56"},
	{"localtime", "r0=8"},
	{"localtime_r", "r0=8 w1!56"},
	{"mkdir", "r0z"},
	{"mkstemp", "r0z"},
	{"mktime", "r0=44"},
	{"modf", "w1=8"},
	{"nanosleep", "r0=16"},
	{"open", "r0z"},
	{"open64", "r0z"},
	{"opendir", "r0z"},
	{"perror", "r0z"},
	{"pipe", "w0?8"},
	{"popen", "r0z r1z"},
	{"printf", "r0z"},
	{"putenv", "r0z"},
	{"puts", "r0z"},
	{"pwrite", "r1>"},
	{"pwrite64", "r1>"},
	{"readlink", "r0z w1>"},
	{"readlinkat", "r1z w2>"},
	{"realpath", "r0z w1!"},
	{"remove", "r0z"},
	{"rename", "r0z r1z"},
	{"rmdir", "r0z"},
	{"send", "r1>"},
	{"sendto", "r1>"},
	{"setenv", "r0z r1z"},
	{"strftime", "r2z r3=44 w0>+"},
	{"symlink", "r0z r1z"},
	{"system", "r0z"},
	{"uname", "w0?390"},
	{"unlink", "r0z"},
	{"unsetenv", "r0z"},
	{"vfprintf", "r1z"},
	{"vprintf", "r0z"},
};

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct library *)row)->name);
}

static const struct library *library_of(Value call)
{
	Value callee = LLVMGetCalledValue(call);
	if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return NULL;
	return bsearch(unit_name(callee), table, sizeof table / sizeof table[0], sizeof table[0], compare);
}

/* ---- a call ---- */

struct site {
	struct unit *u;
	Value call, function, name, place;
};

static bool is_kind(Value v, LLVMTypeKind kind)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == kind;
}

/* The argument a digit stands for, if it is there and of that kind. */
static Value argument(const struct site *s, char digit, LLVMTypeKind kind)
{
	if (!isdigit((unsigned char)digit) || (unsigned)(digit - '0') >= LLVMGetNumArgOperands(s->call))
		return NULL;
	Value v = LLVMGetOperand(s->call, (unsigned)(digit - '0'));
	return is_kind(v, kind) ? v : NULL;
}

/* Literals end, and are there. */
static bool is_literal(Value pointer)
{
	Value base = bounds_base(pointer);
	return LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base) && strncmp(unit_name(base), ".str", 4) == 0;
}

static Value only_if(const struct site *s, Value condition, Value v)
{
	return LLVMBuildSelect(s->u->builder, condition, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

static void before(const struct site *s)
{
	LLVMPositionBuilderBefore(s->u->builder, s->call);
	LLVMSetCurrentDebugLocation2(s->u->builder, LLVMInstructionGetDebugLoc(s->call));
}

static void behind(const struct site *s)
{
	LLVMPositionBuilderBefore(s->u->builder, LLVMGetNextInstruction(s->call));
	LLVMSetCurrentDebugLocation2(s->u->builder, LLVMInstructionGetDebugLoc(s->call));
}

static void check_bytes(const struct site *s, Value pointer, Value bytes, bool writes)
{
	Value base = bounds_base(pointer);
	uint64_t inside = bounds_is_narrow(base) ? LLVMConstIntGetZExtValue(LLVMGetOperand(base, 1)) : 0;
	HOOK_CALL(s->u, extent, base, pointer, bytes, unit_const32(s->u, inside), unit_const32(s->u, writes), s->place, s->function, s->name);
}

static void check_string(const struct site *s, Value pointer, bool writes)
{
	HOOK_CALL(s->u, string, bounds_base(pointer), pointer, unit_const32(s->u, writes), s->place, s->function, s->name);
}

/* ---- the words ---- */

static void check_counted(const struct site *s, Value pointer, const char *how, bool writes)
{
	struct unit *u = s->u;
	Value times = argument(s, how[0], LLVMIntegerTypeKind);
	if (!is_kind(s->call, LLVMIntegerTypeKind) || (isdigit((unsigned char)how[0]) && !times))
		return;
	behind(s);
	Value positive = LLVMBuildICmp(u->builder, LLVMIntSGT, s->call, LLVMConstNull(LLVMTypeOf(s->call)), "");
	Value bytes = LLVMBuildSExtOrBitCast(u->builder, s->call, u->i64, "");
	if (times)
		bytes = LLVMBuildMul(u->builder, bytes, LLVMBuildZExtOrBitCast(u->builder, times, u->i64, ""), "");
	if (how[0] == '+')
		bytes = LLVMBuildAdd(u->builder, bytes, unit_const64(u, 1), "");
	check_bytes(s, pointer, only_if(s, positive, bytes), writes);
}

static void check_on_success(const struct site *s, Value pointer, uint64_t bytes, bool writes)
{
	struct unit *u = s->u;
	if (!is_kind(s->call, LLVMIntegerTypeKind))
		return;
	behind(s);
	Value fine = LLVMBuildICmp(u->builder, LLVMIntEQ, s->call, LLVMConstNull(LLVMTypeOf(s->call)), "");
	check_bytes(s, pointer, only_if(s, fine, unit_const64(u, bytes)), writes);
}

static void check_if_returned(const struct site *s, Value pointer, uint64_t bytes, bool writes)
{
	struct unit *u = s->u;
	if (!is_kind(s->call, LLVMPointerTypeKind))
		return;
	behind(s);
	Value fine = LLVMBuildIsNotNull(u->builder, s->call, "");
	if (bytes)
		check_bytes(s, pointer, only_if(s, fine, unit_const64(u, bytes)), writes);
	else
		check_string(s, only_if(s, fine, pointer), writes);
}

static void check_pointer(const struct site *s, const char *word)
{
	struct unit *u = s->u;
	Value pointer = argument(s, word[1], LLVMPointerTypeKind);
	bool writes = word[0] == 'w';
	uint64_t bytes = strtoul(word + 3, NULL, 10);
	if (!pointer || LLVMIsAConstantPointerNull(pointer) || (!writes && is_literal(pointer)))
		return;
	switch (word[2]) {
	case 'z':
		before(s);
		check_string(s, pointer, writes);
		break;
	case '=':
		before(s);
		check_bytes(s, pointer, unit_const64(u, bytes), writes);
		break;
	case '>': check_counted(s, pointer, word + 3, writes); break;
	case '?': check_on_success(s, pointer, bytes, writes); break;
	case '!': check_if_returned(s, pointer, bytes, writes); break;
	}
}

static void check_call(struct unit *u, Value call, const struct library *l)
{
	Value place = unit_const32(u, TD_PLACE(LLVMGetDebugLocLine(call), LLVMGetDebugLocColumn(call)));
	struct site s = {u, call, LLVMGetCalledValue(call), unit_data(u, l->name, strlen(l->name) + 1), place};
	for (const char *word = l->checks; word; word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL)
		check_pointer(&s, word);
}

void library_insert(struct unit *u, Value function)
{
	if (u->options.models) /* they see to it themselves */
		return;
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			const struct library *l = LLVMIsACallInst(i) && LLVMGetTailCallKind(i) != LLVMTailCallKindMustTail ? library_of(i) : NULL;
			if (l)
				check_call(u, i, l);
		}
}
