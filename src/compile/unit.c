/* Set-up of a unit: types, runtime variables and the hook declarations, which come from contract/hook.def
 * so that they cannot disagree with the runtime. See unit.h. */
#include "compile/unit.h"

#include "compile/module.h"
#include "contract/object.h"
#include "contract/slots.h"

#include <stdlib.h>
#include <string.h>

enum { PRESERVE_MOST = 14 }; /* LLVM's number; the C API does not name it */

/* memory(...) attributes as raw integers: two bits each for argument, inaccessible and other memory. */
enum memory { MEMORY_NONE = 0, MEMORY_ARGUMENT = 3, MEMORY_SHADOW = 3 << 2, MEMORY_CROSS = MEMORY_SHADOW, MEMORY_PAGES = -2, MEMORY_ANY = -1 };

struct signature {
	const char *name;
	enum memory memory;
	const char *types; /* the letters of the row: result, then parameters, between commas */
};

static const struct signature signatures[TD_HOOK_COUNT] = {
#define HOOK(name, memory, ...) {"__td_" #name, MEMORY_##memory, #__VA_ARGS__},
#include "contract/hook.def"
#undef HOOK
};

static Type type_of_letter(const struct unit *u, char letter)
{
	return letter == 'W' || letter == 'S' ? u->i32 : letter == 'L' ? u->i64 : letter == 'P' || letter == 'E' ? u->ptr : u->none;
}

void unit_attribute(const struct unit *u, Value function, const char *name, uint64_t value)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(u->context, kind, value));
}

/* Neither inlined nor, if so wanted, optimised, whatever the source says about it. */
void unit_keep_whole(const struct unit *u, Value function, bool optimised)
{
	static const char *const against[] = {"alwaysinline", "optsize", "minsize", "optdebug"};
	for (size_t i = 0; i < (optimised ? 1 : sizeof against / sizeof *against); i++)
		LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                               LLVMGetEnumAttributeKindForName(against[i], strlen(against[i])));
	unit_attribute(u, function, "noinline", 0);
	if (!optimised)
		unit_attribute(u, function, "optnone", 0);
}

void unit_frame_pointer(const struct unit *u, Value function)
{
	LLVMAttributeRef attribute = LLVMCreateStringAttribute(u->context, "frame-pointer", 13, "all", 3);
	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void declare_hook(struct unit *u, enum td_hook id)
{
	const struct signature *s = &signatures[id];
	Type parameters[16];
	unsigned count = 0;
	for (const char *t = s->types + 1; *t; t++)
		if (strchr("SWLPE", *t))
			parameters[count++] = type_of_letter(u, *t);
	struct hook *hook = &u->hooks[id];
	hook->type = LLVMFunctionType(type_of_letter(u, s->types[0]), parameters, count, strchr(s->types, 'M') != NULL);
	hook->function = LLVMGetNamedFunction(u->module, s->name);
	if (!hook->function)
		hook->function = LLVMAddFunction(u->module, s->name, hook->type);
	LLVMSetLinkage(hook->function, LLVMExternalWeakLinkage); /* see module.c */
	unit_attribute(u, hook->function, "nounwind", 0);
	if (s->memory == MEMORY_ANY)
		return;
	LLVMSetFunctionCallConv(hook->function, PRESERVE_MOST);
	unit_attribute(u, hook->function, "nonlazybind", 0); /* resolving a symbol at its first call would change r10 */
	unit_attribute(u, hook->function, "willreturn", 0);
	unit_attribute(u, hook->function, "cold", 0);
	if (s->memory != MEMORY_PAGES)
		unit_attribute(u, hook->function, "memory", (uint64_t)s->memory);
}

static Value declare_variable(struct unit *u, const char *name, Type type)
{
	Value v = LLVMGetNamedGlobal(u->module, name);
	if (!v)
		v = LLVMAddGlobal(u->module, type, name);
	LLVMSetLinkage(v, LLVMExternalWeakLinkage);
	return v;
}

static void declare_slots(struct unit *u)
{
	Type fields[] = {u->ptr, u->ptr, u->ptr, LLVMArrayType2(u->i32, TD_MAX_ARGS),
	                 LLVMArrayType2(u->i32, TD_MAX_RESULTS), LLVMArrayType2(u->ptr, TD_MAX_ARGS), u->ptr, u->i64, LLVMArrayType2(u->i64, TD_MAX_ARGS)};
	u->slots_type = LLVMStructTypeInContext(u->context, fields, 9, false);
	u->slots = declare_variable(u, "__td_slots", u->slots_type);
	LLVMSetThreadLocal(u->slots, true);
	LLVMSetThreadLocalMode(u->slots, LLVMInitialExecTLSModel);
}

static LLVMMetadataRef text_node(struct unit *u, const char *text, LLVMMetadataRef more)
{
	LLVMMetadataRef operands[] = {LLVMMDStringInContext2(u->context, text, strlen(text)), more};
	return LLVMMDNodeInContext2(u->context, operands, more ? 2 : 1);
}

static void declare_space(struct unit *u)
{
	Type fields[] = {u->ptr, u->i64, u->ptr};
	u->space_type = LLVMStructTypeInContext(u->context, fields, 3, false);
	u->space = declare_variable(u, "__td_space", u->space_type);
	u->lowest = declare_variable(u, "__td_lowest", u->i64);
	LLVMSetThreadLocal(u->lowest, true);
	LLVMSetThreadLocalMode(u->lowest, LLVMInitialExecTLSModel);
	LLVMMetadataRef domain = text_node(u, "tandem", NULL);
	LLVMMetadataRef scopes[] = {text_node(u, "tandem's own", domain), text_node(u, "coverage", domain)};
	u->own_scope = LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, &scopes[0], 1));
	u->cover_scope = LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, &scopes[1], 1));
	u->both_scopes = LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, scopes, 2));
	u->md_scope = LLVMGetMDKindIDInContext(u->context, "alias.scope", 11);
	u->md_noalias = LLVMGetMDKindIDInContext(u->context, "noalias", 7);
}

void unit_setup(struct unit *u, LLVMContextRef context, LLVMModuleRef module)
{
	u->context = context;
	u->module = module;
	u->layout = LLVMGetModuleDataLayout(module);
	u->builder = LLVMCreateBuilderInContext(context);
	u->i1 = LLVMInt1TypeInContext(context);
	u->i8 = LLVMInt8TypeInContext(context);
	u->i32 = LLVMInt32TypeInContext(context);
	u->i64 = LLVMInt64TypeInContext(context);
	u->i128 = LLVMInt128TypeInContext(context);
	u->ptr = LLVMPointerTypeInContext(context, 0);
	u->none = LLVMVoidTypeInContext(context);
	u->zero = LLVMConstInt(u->i32, 0, false);
	u->md_site = LLVMGetMDKindIDInContext(context, "td.site", 7);
	u->md_told = LLVMGetMDKindIDInContext(context, "td.told", 7);
	u->md_behind = LLVMGetMDKindIDInContext(context, "td.behind", 9);
	u->md_signed = LLVMGetMDKindIDInContext(context, "td.signed", 9);
	u->md_seen = LLVMGetMDKindIDInContext(context, "td.seen", 7);
	u->md_prof = LLVMGetMDKindIDInContext(context, "prof", 4);
	LLVMMetadataRef weights[] = {LLVMMDStringInContext2(context, "branch_weights", 14),
	                             LLVMValueAsMetadata(unit_const32(u, 1)), LLVMValueAsMetadata(unit_const32(u, 100000))};
	LLVMMetadataRef others[] = {weights[0], weights[2], weights[1]};
	u->unlikely = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, weights, 3));
	u->likely = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, others, 3));
	for (unsigned i = 0; i < TD_HOOK_COUNT; i++)
		declare_hook(u, (enum td_hook)i);
	declare_slots(u);
	u->directory = declare_variable(u, "__td_directory", LLVMArrayType2(u->i64, TD_DIRECTORY_ENTRIES));
	declare_space(u);
	u->force = declare_variable(u, "__td_force", u->i32);
	u->tracing = module_tracing(u);
}

const char *unit_name(Value global)
{
	size_t length;
	return LLVMGetValueName2(global, &length);
}

const char *unit_modelled(Value function)
{
	const char *name = LLVMIsAFunction(function) ? unit_name(function) : "";
	return strncmp(name, UNIT_MODEL, sizeof UNIT_MODEL - 1) == 0 ? name + sizeof UNIT_MODEL - 1 : NULL;
}

bool unit_is_named(Value global, const char *name)
{
	return strcmp(unit_name(global), name) == 0;
}

Value unit_const32(const struct unit *u, uint64_t value)
{
	return LLVMConstInt(u->i32, value, false);
}

Value unit_const64(const struct unit *u, uint64_t value)
{
	return LLVMConstInt(u->i64, value, false);
}

Value unit_self_relative(const struct unit *u, Value block, size_t offset, Value target)
{
	Value at = unit_const64(u, offset);
	Value field = LLVMConstPtrToInt(LLVMConstGEP2(u->i8, block, &at, 1), u->i64);
	return LLVMConstTrunc(LLVMConstSub(LLVMConstPtrToInt(target, u->i64), field), u->i32);
}

const char *unit_hook_types(enum td_hook hook)
{
	return signatures[hook].types;
}

Value unit_call(struct unit *u, enum td_hook id, Value *arguments, unsigned count)
{
	const struct hook *hook = &u->hooks[id];
	Value call = LLVMBuildCall2(u->builder, hook->type, hook->function, arguments, count, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(hook->function));
	return call;
}

/* One array for the whole file: thousands of small ones cost the compiler more than what they hold. */
uint32_t unit_add_data(struct unit *u, const void *data, size_t size)
{
	size_t at = u->data_bytes.count;
	for (size_t k = 0; k < size; k++)
		list_push(&u->data_bytes, ((const char *)data)[k]);
	while (u->data_bytes.count % sizeof(uint32_t))
		list_push(&u->data_bytes, 0);
	return (uint32_t)at;
}

Value unit_data(struct unit *u, const void *data, size_t size)
{
	Value at = unit_const64(u, unit_add_data(u, data, size));
	return LLVMConstGEP2(u->i8, u->data, &at, 1);
}

static void make_constant(Value global, Value initializer)
{
	LLVMSetInitializer(global, initializer);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	LLVMSetGlobalConstant(global, true);
}

void unit_start_data(struct unit *u)
{
	Type fields[] = {u->ptr, u->ptr, u->ptr, u->ptr};
	u->data = LLVMAddGlobal(u->module, u->i8, "");
	u->bases = LLVMAddGlobal(u->module, LLVMStructTypeInContext(u->context, fields, 4, false), "td.bases");
}

void unit_finish_data(struct unit *u)
{
	Value text = LLVMConstStringInContext2(u->context, u->data_bytes.at, u->data_bytes.count, true);
	Value global = LLVMAddGlobal(u->module, LLVMTypeOf(text), "td.data"), bases[] = {global, u->edges, u->functions, u->cover};
	make_constant(global, text);
	LLVMSetAlignment(global, sizeof(uint32_t));
	make_constant(u->bases, LLVMConstStructInContext(u->context, bases, 4, false));
	LLVMReplaceAllUsesWith(u->data, global);
	LLVMDeleteGlobal(u->data);
	free(u->data_bytes.at);
}

/* MEMORY_SHADOW: nobody may drop it or move it across others, but it touches nothing the program knows. */
Value unit_mark(struct unit *u, const char *name, Type result, Value *arguments, unsigned count, enum unit_mark_memory what)
{
	static const enum memory memory[] = {[UNIT_MARK_PURE] = MEMORY_NONE, [UNIT_MARK_STAYS] = MEMORY_SHADOW, [UNIT_MARK_TOUCHES] = MEMORY_SHADOW | MEMORY_ARGUMENT};
	Type parameters[8];
	for (unsigned k = 0; k < count; k++)
		parameters[k] = LLVMTypeOf(arguments[k]);
	Type type = LLVMFunctionType(result, parameters, count, false);
	Value function = LLVMGetNamedFunction(u->module, name);
	if (!function) {
		function = LLVMAddFunction(u->module, name, type);
		unit_attribute(u, function, "nounwind", 0);
		unit_attribute(u, function, "willreturn", 0);
		unit_attribute(u, function, "memory", (uint64_t)memory[what]);
		if (what == UNIT_MARK_TOUCHES)
			LLVMAddAttributeAtIndex(function, 1, LLVMCreateEnumAttribute(u->context, LLVMGetEnumAttributeKindForName("nocapture", 9), 0));
	}
	return LLVMBuildCall2(u->builder, type, function, arguments, count, "");
}

bool unit_is_mark(Value i, const char *name)
{
	return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && unit_is_named(LLVMGetCalledValue(i), name);
}

static Value load_own(struct unit *u, Type type, Value from, uint64_t offset)
{
	Value at = unit_const64(u, offset);
	Value load = LLVMBuildLoad2(u->builder, type, LLVMBuildGEP2(u->builder, u->i8, from, &at, 1, ""), "");
	LLVMSetMetadata(load, u->md_scope, u->own_scope);
	LLVMSetMetadata(load, u->md_noalias, u->cover_scope);
	return load;
}

Value unit_constant_load(struct unit *u, Value load)
{
	static const char name[] = "invariant.load";
	LLVMSetMetadata(load, LLVMGetMDKindIDInContext(u->context, name, sizeof name - 1), LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, NULL, 0)));
	return load;
}

/* They are set before any traced code runs, and stay. */
static Value load_constant(struct unit *u, Type type, uint64_t offset)
{
	return unit_constant_load(u, load_own(u, type, u->space, offset));
}

void unit_load_space(struct unit *u, bool once)
{
	u->owners = once ? load_constant(u, u->ptr, offsetof(struct td_space, owners)) : NULL;
	u->mask = once ? load_constant(u, u->i64, offsetof(struct td_space, mask)) : NULL;
	u->objects = once ? load_constant(u, u->ptr, offsetof(struct td_space, objects)) : NULL;
}

Value unit_record(struct unit *u, Value pointer)
{
	bool once = u->owners != NULL;
	if (!once)
		unit_load_space(u, true);
	Value owners = u->owners, mask = u->mask, objects = u->objects;
	if (!once)
		unit_load_space(u, false);
	Value granule = LLVMBuildAnd(u->builder, LLVMBuildPtrToInt(u->builder, pointer, u->i64, ""), mask, "");
	granule = LLVMBuildLShr(u->builder, granule, unit_const64(u, TD_GRANULE_BITS), "");
	Value number = load_own(u, u->i32, LLVMBuildGEP2(u->builder, u->i32, owners, &granule, 1, ""), 0);
	Value at = LLVMBuildZExt(u->builder, number, u->i64, "");
	return LLVMBuildGEP2(u->builder, u->i64, objects, &at, 1, ""); /* TD_NUMBER_BYTES */
}

void unit_object(struct unit *u, Value pointer, Value *start, Value *open)
{
	Value object = unit_record(u, pointer);
	*start = load_own(u, u->i64, object, offsetof(struct td_object, start));
	*open = load_own(u, u->i64, object, offsetof(struct td_object, open));
}

Value unit_intrinsic(struct unit *u, const char *name, Type type, Value *arguments, unsigned count)
{
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	Value function = LLVMGetIntrinsicDeclaration(u->module, id, &type, 1);
	return LLVMBuildCall2(u->builder, LLVMIntrinsicGetType(u->context, id, &type, 1), function, arguments, count, "");
}

void unit_move(struct unit *u, Value first, Block to)
{
	LLVMPositionBuilderAtEnd(u->builder, to);
	for (Value i = first, next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMInstructionRemoveFromParent(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, i);
	}
}

Block unit_block(struct unit *u, Value function, Block after, const char *name)
{
	Block block = LLVMAppendBasicBlockInContext(u->context, function, name);
	if (after)
		LLVMMoveBasicBlockAfter(block, after);
	return block;
}

bool unit_has_attribute(Value function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) != NULL;
}

Type unit_by_value(Value function, unsigned parameter)
{
	LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, LLVMGetEnumAttributeKindForName("byval", 5));
	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

bool unit_has_by_value(Value function)
{
	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		if (unit_by_value(function, i))
			return true;
	return false;
}

void unit_copy_attributes(Value function, Value to, LLVMAttributeIndex at)
{
	unsigned n = LLVMGetAttributeCountAtIndex(function, at);
	LLVMAttributeRef *list = memory_array(n, sizeof(LLVMAttributeRef));
	LLVMGetAttributesAtIndex(function, at, list);
	for (unsigned k = 0; k < n; k++)
		(LLVMIsACallInst(to) ? LLVMAddCallSiteAttribute : LLVMAddAttributeAtIndex)(to, at, list[k]);
	free(list);
}

Value unit_tail_call(struct unit *u, Value caller, Value callee, Value *arguments, unsigned count)
{
	Type type = LLVMGlobalGetValueType(caller);
	Value call = LLVMBuildCall2(u->builder, type, callee, arguments, count, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(caller));
	for (unsigned index = 0; index <= count; index++)
		unit_copy_attributes(caller, call, index);
	/* By-value arguments would have to be moved onto themselves, which LLVM does not do reliably. */
	bool must = !unit_has_by_value(caller) || LLVMIsFunctionVarArg(type);
	LLVMSetTailCallKind(call, must ? LLVMTailCallKindMustTail : LLVMTailCallKindNone);
	if (LLVMGetReturnType(type) == u->none)
		LLVMBuildRetVoid(u->builder);
	else
		LLVMBuildRet(u->builder, call);
	return call;
}

void unit_set_callee(Value call, Value function)
{
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, function);
}

bool unit_address_taken(Value function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (LLVMIsABlockAddress(user))
			continue;
		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
			return true;
		for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
			if (LLVMGetOperand(user, k) == function)
				return true;
	}
	return false;
}
