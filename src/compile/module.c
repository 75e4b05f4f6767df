/* See module.h. All that generated code wants of the runtime it refers to weakly, so an object links anywhere: with g++, into a
 * shared library, without the runtime. Native code touches none of it. What it does look at, the variable that chooses
 * between native and traced, is therefore not the runtime's: each module has its own, hidden from all others, so that neither
 * symbol interposition nor -Bsymbolic nor a version script can come between a module and its flag, and reading it is one
 * instruction. The runtime learns of it from the constructor of any object of the module; a constructor per module, which the
 * linker would choose by name, is not enough where `objcopy --localize-hidden` has given part of a module a flag of its own. */
#include "compile/module.h"

#include "contract/module.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 101 }; /* priority of the constructor: before those of the program */

Value module_tracing(struct unit *u)
{
	Value flag = LLVMGetNamedGlobal(u->module, "__td_tracing");
	if (flag)
		return flag;
	flag = LLVMAddGlobal(u->module, u->i32, "__td_tracing");
	LLVMSetInitializer(flag, u->zero);
	LLVMSetLinkage(flag, LLVMWeakAnyLinkage);
	LLVMSetVisibility(flag, LLVMHiddenVisibility);
	return flag;
}

/* ---- the struct ---- */

/* One of the symbols the linker puts around a section; null if the module has no such section. */
static Value bound(struct unit *u, const char *which, const char *section)
{
	char *name = memory_printf("__%s_%s", which, section);
	Value symbol = LLVMAddGlobal(u->module, u->i8, name);
	LLVMSetLinkage(symbol, LLVMExternalWeakLinkage);
	LLVMSetVisibility(symbol, LLVMHiddenVisibility);
	free(name);
	return symbol;
}

static Value write_struct(struct unit *u)
{
	static const char *const sections[] = {TD_EDGE_SECTION, TD_FUNCTION_SECTION, TD_GLOBAL_SECTION, TD_FACTS_SECTION, TD_TEXT_SECTION, TD_COVER_SECTION};
	enum { SECTIONS = sizeof sections / sizeof sections[0], FIELDS = 1 + 2 * SECTIONS };
	Value fields[FIELDS] = {module_tracing(u)};
	for (unsigned i = 0; i < SECTIONS; i++) {
		fields[1 + 2 * i] = bound(u, "start", sections[i]);
		fields[2 + 2 * i] = bound(u, "stop", sections[i]);
	}
	Value constant = LLVMConstStructInContext(u->context, fields, FIELDS, false);
	Value module = LLVMAddGlobal(u->module, LLVMTypeOf(constant), "td.module");
	LLVMSetInitializer(module, constant);
	LLVMSetGlobalConstant(module, true);
	LLVMSetLinkage(module, LLVMInternalLinkage);
	return module;
}

/* ---- constructor and destructor ---- */

/* A function that tells the runtime, if there is one. */
static Value write_caller(struct unit *u, const char *name, enum td_hook hook, Value module)
{
	Type three[] = {u->i32, u->ptr, u->ptr}; /* as the C library calls them: argc, argv, envp */
	Value caller = LLVMAddFunction(u->module, name, LLVMFunctionType(u->none, three, 3, false));
	Block entry = unit_block(u, caller, NULL, ""), call = unit_block(u, caller, NULL, ""), end = unit_block(u, caller, NULL, "");
	Value arguments[] = {module, LLVMGetParam(caller, 2)};
	LLVMSetLinkage(caller, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(u->builder, entry);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMBuildCondBr(u->builder, LLVMBuildIsNull(u->builder, u->hooks[hook].function, ""), end, call);
	LLVMPositionBuilderAtEnd(u->builder, call);
	unit_call(u, hook, arguments, LLVMCountParamTypes(u->hooks[hook].type));
	LLVMBuildBr(u->builder, end);
	LLVMPositionBuilderAtEnd(u->builder, end);
	LLVMBuildRetVoid(u->builder);
	return caller;
}

/* Adds to llvm.global_ctors or llvm.global_dtors. */
static void add_entry(struct unit *u, const char *list, Value function)
{
	Value fields[] = {unit_const32(u, FIRST), function, LLVMConstNull(u->ptr)}, entry = LLVMConstStructInContext(u->context, fields, 3, false);
	LIST(Value) all = {0};
	Value old = LLVMGetNamedGlobal(u->module, list);
	for (int k = 0; old && k < LLVMGetNumOperands(LLVMGetInitializer(old)); k++)
		list_push(&all, LLVMGetOperand(LLVMGetInitializer(old), (unsigned)k));
	if (old)
		LLVMDeleteGlobal(old);
	list_push(&all, entry);
	Value constant = LLVMConstArray2(LLVMTypeOf(entry), all.at, all.count);
	Value made = LLVMAddGlobal(u->module, LLVMTypeOf(constant), list);
	LLVMSetInitializer(made, constant);
	LLVMSetLinkage(made, LLVMAppendingLinkage);
	free(all.at);
}

void module_write(struct unit *u)
{
	Value module = write_struct(u);
	add_entry(u, "llvm.global_ctors", write_caller(u, "td.module.begin", TD_HOOK_register, module));
	add_entry(u, "llvm.global_dtors", write_caller(u, "td.module.end", TD_HOOK_unregister, module));
}

/* ---- what linkers keep ---- */

void module_keep(struct unit *u, const Value *values, unsigned count)
{
	LIST(Value) all = {0};
	Value old = LLVMGetNamedGlobal(u->module, "llvm.used");
	if (old) {
		Value list = LLVMGetInitializer(old);
		for (int k = 0; k < LLVMGetNumOperands(list); k++)
			list_push(&all, LLVMGetOperand(list, (unsigned)k));
		LLVMDeleteGlobal(old);
	}
	for (unsigned k = 0; k < count; k++)
		if (values[k])
			list_push(&all, values[k]);
	Value constant = LLVMConstArray2(u->ptr, all.at, all.count);
	Value used = LLVMAddGlobal(u->module, LLVMTypeOf(constant), "llvm.used");
	LLVMSetInitializer(used, constant);
	LLVMSetLinkage(used, LLVMAppendingLinkage);
	LLVMSetSection(used, "llvm.metadata");
	free(all.at);
}

/* ---- main ---- */

static Value write_relay(struct unit *u, Value program, Type type)
{
	Value relay = LLVMAddFunction(u->module, "td.main", type), arguments[3];
	LLVMSetLinkage(relay, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(u->builder, unit_block(u, relay, NULL, ""));
	LLVMGetParams(relay, arguments);
	Type own = LLVMGlobalGetValueType(program);
	unsigned n = LLVMCountParams(program);
	Value result = LLVMBuildCall2(u->builder, own, program, arguments, n < 3 ? n : 3, "");
	LLVMBuildRet(u->builder, LLVMGetReturnType(own) == u->i32 ? result : u->zero);
	return relay;
}

/* If there is a runtime, it owns main: it calls back the program's own when it is ready. */
void module_write_main(struct unit *u, Value program)
{
	Type three[] = {u->i32, u->ptr, u->ptr}, type = LLVMFunctionType(u->i32, three, 3, false);
	Value relay = write_relay(u, program, type), entry = LLVMAddFunction(u->module, "main", type), arguments[3];
	Block first = unit_block(u, entry, NULL, ""), runtime = unit_block(u, entry, NULL, ""), native = unit_block(u, entry, NULL, "");
	LLVMGetParams(entry, arguments);
	LLVMPositionBuilderAtEnd(u->builder, runtime);
	Value call = HOOK_CALL(u, start, arguments[0], arguments[1], arguments[2], relay);
	LLVMBuildRet(u->builder, call);
	LLVMPositionBuilderAtEnd(u->builder, first);
	LLVMBuildCondBr(u->builder, LLVMBuildIsNotNull(u->builder, LLVMGetCalledValue(call), ""), runtime, native);
	LLVMPositionBuilderAtEnd(u->builder, native);
	LLVMBuildRet(u->builder, LLVMBuildCall2(u->builder, type, relay, arguments, 3, ""));
}

/* ---- marks ---- */

/* What marks do in native code without a runtime. */
static const struct mark {
	const char *name;
	bool ends, unless; /* the run, always; or unless its first argument is true */
} marks[] = {
	{"tandem_symbolic", false, false},
	{"tandem_assume", false, true},
	{"tandem_stop", true, false},
};

static Value declared(struct unit *u, const char *name)
{
	Value f = LLVMGetNamedFunction(u->module, name);
	if (!f || !LLVMIsDeclaration(f))
		return NULL;
	LLVMSetLinkage(f, LLVMExternalWeakLinkage);
	return f;
}

static Value next_call(Value function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
		if (LLVMIsACallInst(LLVMGetUser(use)) && LLVMGetCalledValue(LLVMGetUser(use)) == function)
			return LLVMGetUser(use);
	return NULL;
}

static void write_exit(struct unit *u)
{
	Type type = LLVMFunctionType(u->none, &u->i32, 1, false);
	Value f = LLVMGetNamedFunction(u->module, "_exit");
	if (!f)
		f = LLVMAddFunction(u->module, "_exit", type);
	LLVMBuildCall2(u->builder, type, f, &u->zero, 1, "");
}

static void write_return(struct unit *u, Type type)
{
	Type result = LLVMGetReturnType(type);
	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(u->builder);
	else /* declared in a way of the program's own */
		LLVMBuildRet(u->builder, LLVMConstNull(result));
}

/* What is called where there is no runtime. */
static Value stand_in(struct unit *u, Type type, const struct mark *mark)
{
	Value f = LLVMAddFunction(u->module, "td.mark", type);
	LLVMContextRef context = LLVMGetModuleContext(u->module);
	Block entry = LLVMAppendBasicBlockInContext(context, f, ""), end = LLVMAppendBasicBlockInContext(context, f, "");
	Block back = LLVMAppendBasicBlockInContext(context, f, "");
	LLVMSetLinkage(f, LLVMPrivateLinkage);
	bool asks = mark->unless && LLVMCountParams(f) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, 0))) == LLVMIntegerTypeKind;
	LLVMPositionBuilderAtEnd(u->builder, entry);
	if (asks)
		LLVMBuildCondBr(u->builder, LLVMBuildIsNull(u->builder, LLVMGetParam(f, 0), ""), end, back);
	else
		LLVMBuildBr(u->builder, mark->ends ? end : back);
	LLVMPositionBuilderAtEnd(u->builder, end);
	if (asks || mark->ends)
		write_exit(u);
	LLVMBuildBr(u->builder, back);
	LLVMPositionBuilderAtEnd(u->builder, back);
	write_return(u, type);
	return f;
}

static void write_mark(struct unit *u, const struct mark *mark)
{
	Value f = declared(u, mark->name);
	for (Value call; f && (call = next_call(f));) {
		Value other = stand_in(u, LLVMGetCalledFunctionType(call), mark);
		LLVMPositionBuilderBefore(u->builder, call);
		Value chosen = LLVMBuildSelect(u->builder, LLVMBuildIsNotNull(u->builder, f, ""), f, other, "");
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, chosen);
	}
}

void module_write_marks(struct unit *native, struct unit *traced)
{
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		declared(traced, marks[i].name);
		write_mark(native, &marks[i]);
	}
}
