/* See clone.h. */
#include "compile/clone.h"

#include "compile/bounds.h"
#include "compile/compile.h"
#include "compile/effect.h"
#include "compile/module.h"
#include "compile/thunk.h"
#include "compile/weave.h"
#include "contract/module.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>

#include <stdlib.h>
#include <string.h>

static bool is_local(Value global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool has_section(Value global)
{
	const char *section = LLVMGetSection(global);
	return section && *section;
}

static bool is_cloned(Value function)
{
	return !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage &&
	       !unit_has_attribute(function, "naked");
}

/* May another definition replace this one at link or load time? */
static bool is_replaceable(Value function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMExternalWeakLinkage;
}

static bool needs_dispatcher(Value function)
{
	return !is_local(function) || unit_is_named(function, "__td_main") || unit_address_taken(function);
}

void clone_prepare(struct unit *u)
{
	unsigned nameless = 0;
	for (Value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
		if (!*unit_name(g)) {
			char *name = memory_printf("td.nameless.%u", nameless++);
			LLVMSetValueName2(g, name, strlen(name));
			free(name);
		}
	Value entry = LLVMGetNamedFunction(u->module, "main");
	if (entry && !LLVMIsDeclaration(entry))
		LLVMSetValueName2(entry, "__td_main", 9);
}

/* ---- replacing uses of a function ---- */

static bool is_callee_of(Value function, Value user)
{
	return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

/* Every instruction that mentions `from`, other than as its callee, mentions `to` instead. */
static void replace_in_code(Value from, Value to)
{
	LIST(Value) users = {0};
	for (LLVMUseRef use = LLVMGetFirstUse(from); use; use = LLVMGetNextUse(use))
		if (LLVMIsAInstruction(LLVMGetUser(use)))
			list_push(&users, LLVMGetUser(use));
	for (size_t i = 0; i < users.count; i++) {
		Value user = users.at[i];
		int n = LLVMGetNumOperands(user) - (is_callee_of(from, user) ? 1 : 0);
		for (int k = 0; k < n; k++)
			if (LLVMGetOperand(user, (unsigned)k) == from)
				LLVMSetOperand(user, (unsigned)k, to);
	}
	free(users.at);
}

static bool has_label_address(Value function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
		if (LLVMIsABlockAddress(LLVMGetUser(use)))
			return true;
	return false;
}

/* Direct calls of `from` become direct calls of `to`; if so wanted, only those whose result somebody uses. */
static void redirect_calls(Value from, Value to, bool used_only)
{
	LIST(Value) calls = {0};
	for (LLVMUseRef use = LLVMGetFirstUse(from); use; use = LLVMGetNextUse(use))
		if (is_callee_of(from, LLVMGetUser(use)) && (!used_only || LLVMGetFirstUse(LLVMGetUser(use))))
			list_push(&calls, LLVMGetUser(use));
	for (size_t i = 0; i < calls.count; i++)
		unit_set_callee(calls.at[i], to);
	free(calls.at);
}

/* All uses of `from` become `to`, but direct calls go to `callee`. */
static void replace_everywhere(Value from, Value to, Value callee)
{
	LLVMReplaceAllUsesWith(from, to);
	redirect_calls(to, callee, false);
}

/* ---- models ---- */

/* A function of the same type that need not be there when the program is linked. */
static Value declare_weak(struct unit *u, Value function, const char *name)
{
	Value found = LLVMGetNamedFunction(u->module, name);
	if (found)
		return found;
	Value made = LLVMAddFunction(u->module, name, LLVMGlobalGetValueType(function));
	LLVMSetLinkage(made, LLVMExternalWeakLinkage);
	return made;
}

/* Traced code calls the model. A pointer to the function stays the library's own: it compares equal to those of files we did not
 * compile and works where there is no runtime. Traced code asks the runtime for the model when it calls through a pointer (call.c).
 * Output whose result nobody uses is left to the library: what is printed constrains nothing, how long it becomes would. */
static void models_use(struct unit *u)
{
	for (Value f = LLVMGetFirstFunction(u->module), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		if (!LLVMIsDeclaration(f) || !effect_has_model(unit_name(f)))
			continue;
		char *name = memory_printf(UNIT_MODEL "%s", unit_name(f));
		Value model = declare_weak(u, f, name);
		free(name);
		redirect_calls(f, model, effect_models_result(unit_name(f)));
	}
}

/* The macros of ctype.h, in code that was preprocessed elsewhere: the call says where the locale's table is, and the program reads from there. At a
 * symbolic index that would be a read behind a plain pointer; a model that does both knows how large the table is. */
static const struct { const char *function, *model; unsigned bits; } tables[] = {
	{"__ctype_b_loc", UNIT_MODEL "__ctype_b", 16},
	{"__ctype_tolower_loc", UNIT_MODEL "__ctype_tolower", 32},
	{"__ctype_toupper_loc", UNIT_MODEL "__ctype_toupper", 32},
};

static void replace_reads(struct unit *u, Value gep, const char *model, Type element)
{
	LIST(Value) reads = {0};
	for (LLVMUseRef use = LLVMGetFirstUse(gep); use; use = LLVMGetNextUse(use))
		if (LLVMIsALoadInst(LLVMGetUser(use)) && LLVMTypeOf(LLVMGetUser(use)) == element)
			list_push(&reads, LLVMGetUser(use));
	Type type = LLVMFunctionType(element, (Type[]){u->i64}, 1, false);
	for (size_t i = 0; i < reads.count; i++) {
		Value callee = LLVMGetNamedFunction(u->module, model);
		if (!callee) {
			callee = LLVMAddFunction(u->module, model, type);
			LLVMSetLinkage(callee, LLVMExternalWeakLinkage);
		}
		LLVMPositionBuilderBefore(u->builder, reads.at[i]);
		LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(reads.at[i]));
		Value index = LLVMBuildSExtOrBitCast(u->builder, LLVMGetOperand(gep, 1), u->i64, "");
		Value made = LLVMBuildCall2(u->builder, type, callee, (Value[]){index}, 1, "");
		LLVMReplaceAllUsesWith(reads.at[i], made);
		LLVMInstructionEraseFromParent(reads.at[i]);
	}
	free(reads.at);
}

/* call -> load of the table's address -> its element -> load: the last one becomes a call. */
static void replace_table(struct unit *u, Value call, const char *model, Type element)
{
	for (LLVMUseRef a = LLVMGetFirstUse(call); a; a = LLVMGetNextUse(a)) {
		Value table = LLVMGetUser(a);
		for (LLVMUseRef b = LLVMIsALoadInst(table) ? LLVMGetFirstUse(table) : NULL; b; b = LLVMGetNextUse(b)) {
			Value gep = LLVMGetUser(b);
			if (LLVMIsAGetElementPtrInst(gep) && LLVMGetNumOperands(gep) == 2 && LLVMGetGEPSourceElementType(gep) == element)
				replace_reads(u, gep, model, element);
		}
	}
}

static void tables_use(struct unit *u)
{
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		Value f = LLVMGetNamedFunction(u->module, tables[i].function);
		if (!f || !LLVMIsDeclaration(f))
			continue;
		for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
			if (is_callee_of(f, LLVMGetUser(use)))
				replace_table(u, LLVMGetUser(use), tables[i].model, LLVMIntTypeInContext(u->context, tables[i].bits));
	}
}

/* The program's own definition wins: it answers to the model's name as well. Protected: a shared library's own is for that
 * library, while the program's model, which comes first, would take its place. */
static void models_override(struct unit *u, Value function, const char *name)
{
	if (!effect_has_model(name) || is_local(function))
		return;
	char *alias = memory_printf(UNIT_MODEL "%s", name);
	Value made = LLVMAddAlias2(u->module, LLVMGlobalGetValueType(function), 0, function, alias);
	LLVMSetLinkage(made, LLVMGetLinkage(function));
	LLVMSetVisibility(made, LLVMProtectedVisibility);
	free(alias);
}

/* ---- attributes ---- */

static void copy_attributes(Value from, Value to, unsigned parameters)
{
	for (unsigned index = 0; index <= parameters; index++)
		unit_copy_attributes(from, to, index);
	unit_copy_attributes(from, to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
}

static const char *const promises[] = {"memory", "willreturn", "nosync", "nofree", "speculatable", "norecurse"};

/* Woven code reads and writes slots and shadows, so what the source promised (const, pure) no longer holds. */
static void drop_promises(Value function)
{
	for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i]));
		LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
		for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
			for (Value v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
				if (LLVMIsACallInst(v) && intrinsic_of(v)->kind == INTRINSIC_NOT)
					LLVMRemoveCallSiteEnumAttribute(v, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
	}
}

static void set_no_builtins(const struct unit *u, Value function)
{
	LLVMAttributeRef attribute = LLVMCreateStringAttribute(u->context, "no-builtins", 11, "", 0);
	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

/* ---- the traced version ---- */

static bool mentions_labels(Value constant, unsigned depth)
{
	if (LLVMIsABlockAddress(constant))
		return true;
	if (LLVMIsAGlobalValue(constant) || depth > 8)
		return false;
	for (int k = 0; k < LLVMGetNumOperands(constant); k++)
		if (mentions_labels(LLVMGetOperand(constant, (unsigned)k), depth + 1))
			return true;
	return false;
}

static const char *const appending[] = {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors", "llvm.global.annotations"};

/* Variables stay in the native module; only tables of labels are needed twice, each version jumps in its own code. */
static void traced_variables(struct unit *u)
{
	for (size_t i = 0; i < sizeof appending / sizeof appending[0]; i++) {
		Value g = LLVMGetNamedGlobal(u->module, appending[i]);
		if (g)
			LLVMDeleteGlobal(g);
	}
	for (Value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
		Value initial = LLVMGetInitializer(g);
		if (!initial)
			continue;
		if (mentions_labels(initial, 0)) {
			char *name = memory_printf("%s.td.t", unit_name(g));
			LLVMSetValueName2(g, name, strlen(name));
			LLVMSetLinkage(g, LLVMInternalLinkage);
			free(name);
			continue;
		}
		LLVMSetInitializer(g, NULL);
		LLVMSetLinkage(g, LLVMExternalLinkage);
		LLVMGlobalEraseMetadata(g, LLVMGetMDKindIDInContext(u->context, "dbg", 3));
	}
	for (Value a = LLVMGetFirstGlobalAlias(u->module); a; a = LLVMGetNextGlobalAlias(a))
		LLVMSetLinkage(a, LLVMLinkOnceAnyLinkage); /* loses against the native module's */
	LLVMSetModuleInlineAsm2(u->module, "", 0);
}

/* Functions that are not cloned, there is one of. (LLVM-C cannot take away a body.) */
static void traced_others(const struct unit *u)
{
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && !is_cloned(f)) {
			LLVMSetComdat(f, NULL);
			LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
		}
}

/* Which function an ifunc stands for is settled before there is a runtime; traced code knows no more of it than of any declared one. */
static void traced_ifuncs(const struct unit *u)
{
	for (Value f = LLVMGetFirstGlobalIFunc(u->module), next; f; f = next) {
		next = LLVMGetNextGlobalIFunc(f);
		char *name = memory_printf("%s", unit_name(f));
		LLVMSetValueName2(f, "", 0);
		LLVMReplaceAllUsesWith(f, LLVMAddFunction(u->module, name, LLVMGlobalGetValueType(f)));
		LLVMEraseGlobalIFunc(f);
		free(name);
	}
}

struct body { Value function, entry, identity; };

/* Variables instead of values that live across blocks: see weave.h. */
static bool split_and_demote(struct clone *c, const struct body *bodies, struct err *err)
{
	for (size_t i = 0; i < c->functions.count; i++)
		lend_find(c->traced, bodies[i].function);
	for (size_t i = 0; i < c->functions.count; i++)
		split_function(c->traced, bodies[i].function);
	return compile_passes(c->traced->module, "function(reg2mem)", err);
}

static bool traced_functions(struct clone *c, struct err *err)
{
	struct unit *u = c->traced;
	size_t n = c->functions.count;
	struct body *bodies = memory_array(n, sizeof *bodies);
	for (size_t i = 0; i < n; i++) {
		const struct cloned *cloned = &c->functions.at[i];
		Value f = LLVMGetNamedFunction(u->module, cloned->name), identity = f;
		char *entry_name = memory_printf("%s.td.t", cloned->name), *name = memory_printf("%s.td.c", cloned->name);
		LLVMSetValueName2(f, name, strlen(name));
		Value entry = LLVMAddFunction(u->module, entry_name, LLVMGlobalGetValueType(f));
		free(name);
		free(entry_name);
		copy_attributes(f, entry, LLVMCountParams(f));
		LLVMSetFunctionCallConv(entry, LLVMGetFunctionCallConv(f));
		identity = entry;
		if (cloned->dispatched) {
			identity = LLVMAddFunction(u->module, cloned->name, LLVMGlobalGetValueType(f));
			if (is_replaceable(f))
				replace_everywhere(f, identity, identity);
			else
				replace_in_code(f, identity);
		}
		LLVMSetLinkage(f, LLVMInternalLinkage);
		LLVMSetVisibility(f, LLVMDefaultVisibility);
		LLVMSetComdat(f, NULL);
		bodies[i] = (struct body){f, entry, identity};
		ptrmap_set(&u->identities, f, identity);
		ptrmap_set(&u->entries, f, entry);
	}
	if (!split_and_demote(c, bodies, err))
		return false;
	Type records_type = LLVMArrayType2(facts_record_type(u), n);
	Value records = LLVMAddGlobal(u->module, records_type, "td.functions");
	u->functions = records;
	for (size_t i = 0; i < n; i++) {
		Value path[] = {u->zero, unit_const32(u, i)};
		drop_promises(bodies[i].function);
		drop_promises(bodies[i].entry);
		set_no_builtins(u, bodies[i].function);
		set_no_builtins(u, bodies[i].entry);
		unit_frame_pointer(u, bodies[i].function);
		unit_frame_pointer(u, bodies[i].entry);
		LLVMSetSection(bodies[i].function, TD_TEXT_SECTION);
		LLVMSetSection(bodies[i].entry, TD_TEXT_SECTION);
		weave_function(u, bodies[i].function, bodies[i].identity, LLVMConstGEP2(records_type, records, path, 2), (unsigned)i);
	}
	free(bodies);
	look_finish(u);
	unit_finish_data(u);
	if (u->debug)
		LLVMDIBuilderFinalize(u->debug);
	return true;
}

/* ---- the dispatcher ---- */

static void dispatch_to(struct unit *u, Value dispatcher, Value body)
{
	unsigned n = LLVMCountParams(dispatcher);
	Value *parameters = memory_array(n, sizeof *parameters);
	LLVMGetParams(dispatcher, parameters);
	unit_tail_call(u, dispatcher, body, parameters, n);
	free(parameters);
}

static void write_dispatcher(struct unit *u, Value dispatcher, Value native, Value traced)
{
	Block entry = unit_block(u, dispatcher, NULL, ""), fast = unit_block(u, dispatcher, NULL, ""), slow = unit_block(u, dispatcher, NULL, "");
	LLVMPositionBuilderAtEnd(u->builder, entry);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value flag = LLVMBuildLoad2(u->builder, u->i32, u->tracing, "");
	Value branch = LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, flag, u->zero, ""), slow, fast);
	LLVMSetMetadata(branch, u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, fast);
	dispatch_to(u, dispatcher, native);
	LLVMPositionBuilderAtEnd(u->builder, slow);
	dispatch_to(u, dispatcher, traced);
}

/* The native version of a model is the library's own function. Weak: all models are in every program, which must not draw all
 * these functions into a static one. */
static Value native_of_model(struct unit *u, Value function, const char *name)
{
	if (!u->options.models || strncmp(name, UNIT_MODEL, strlen(UNIT_MODEL)) != 0)
		return NULL;
	return declare_weak(u, function, name + strlen(UNIT_MODEL));
}

static Value model_record(struct unit *u, Value library, Value model)
{
	Value fields[] = {library, model};
	return LLVMConstStructInContext(u->context, fields, 2, false);
}

static Value declare_traced(struct unit *u, Value f, const char *name)
{
	char *traced_name = memory_printf("%s.td.t", name);
	Value traced = LLVMAddFunction(u->module, traced_name, LLVMGlobalGetValueType(f));
	LLVMSetFunctionCallConv(traced, LLVMGetFunctionCallConv(f));
	free(traced_name);
	return traced;
}

/* Sets up the native version of a function; returns what the outside calls. */
static Value native_function(struct clone *c, const struct cloned *cloned)
{
	struct unit *u = c->native;
	const char *name = cloned->name;
	Value f = LLVMGetNamedFunction(u->module, name), traced = declare_traced(u, f, name);
	if (!cloned->dispatched)
		return traced;
	char *native_name = memory_printf("%s.td.n", name);
	LLVMSetValueName2(f, native_name, strlen(native_name));
	free(native_name);
	Value dispatcher = LLVMAddFunction(u->module, name, LLVMGlobalGetValueType(f));
	LLVMSetFunctionCallConv(dispatcher, LLVMGetFunctionCallConv(f));
	copy_attributes(f, dispatcher, LLVMCountParams(f));
	drop_promises(dispatcher);
	LLVMSetLinkage(dispatcher, LLVMGetLinkage(f));
	LLVMSetVisibility(dispatcher, LLVMGetVisibility(f));
	if (has_section(f))
		LLVMSetSection(dispatcher, LLVMGetSection(f));
	if (LLVMGetComdat(f))
		LLVMSetComdat(dispatcher, LLVMGetComdat(f));
	if (has_label_address(f))
		replace_in_code(f, dispatcher);
	else
		replace_everywhere(f, dispatcher, is_replaceable(dispatcher) ? dispatcher : f);
	LLVMSetComdat(f, NULL);
	LLVMSetVisibility(f, LLVMDefaultVisibility);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	Value library = native_of_model(u, f, name);
	if (library) {
		LLVMSetLinkage(dispatcher, LLVMWeakAnyLinkage); /* the program's own definition wins */
		list_push(&c->models, model_record(u, library, dispatcher));
	}
	write_dispatcher(u, dispatcher, library ? library : f, traced);
	models_override(u, dispatcher, name);
	return dispatcher;
}

/* ---- data ---- */

static Value define_array(struct unit *u, const char *name, Value constant, const char *section, unsigned align)
{
	Value g = LLVMGetNamedGlobal(u->module, name);
	if (!g)
		g = LLVMAddGlobal(u->module, LLVMTypeOf(constant), name);
	LLVMSetInitializer(g, constant);
	LLVMSetSection(g, section);
	LLVMSetAlignment(g, align);
	return g;
}

static Value function_record(struct unit *u, Value function, Value body)
{
	struct thunk thunk = thunk_write(u, function, body);
	Value fields[] = {function, thunk.function, u->zero, unit_const32(u, LLVMCountParams(function)), thunk.layout};
	return LLVMConstStructInContext(u->context, fields, 5, false);
}

static Value models_table(const struct clone *c)
{
	size_t n = c->models.count;
	if (!n)
		return NULL;
	return define_array(c->native, "td.models", LLVMConstArray2(LLVMTypeOf(c->models.at[0]), c->models.at, n), TD_MODEL_SECTION, 8);
}

/* ---- all together ---- */

static void expose(struct clone *c, Value global)
{
	list_push(&c->locals, memory_printf("%s", unit_name(global)));
	LLVMSetLinkage(global, LLVMExternalLinkage);
}

/* The traced version speaks of the native one's variables and dispatchers by name, the static ones too. */
static void expose_locals(struct clone *c)
{
	LLVMModuleRef traced = c->traced->module;
	for (Value g = LLVMGetFirstGlobal(c->native->module); g; g = LLVMGetNextGlobal(g))
		if (is_local(g) && LLVMGetNamedGlobal(traced, unit_name(g)))
			expose(c, g);
	for (Value f = LLVMGetFirstFunction(c->native->module); f; f = LLVMGetNextFunction(f))
		if (is_local(f) && !LLVMIsDeclaration(f) && LLVMGetNamedFunction(traced, unit_name(f)))
			expose(c, f);
}

static void hide_named(struct unit *u, const char *name)
{
	Value g = LLVMGetNamedGlobal(u->module, name);
	if (!g)
		g = LLVMGetNamedFunction(u->module, name);
	if (g && !LLVMIsDeclaration(g))
		LLVMSetLinkage(g, LLVMInternalLinkage);
}

static void hide_locals(struct clone *c)
{
	for (size_t i = 0; i < c->locals.count; i++)
		hide_named(c->native, c->locals.at[i]);
	for (size_t i = 0; i < c->functions.count; i++) {
		char *name = memory_printf("%s.td.t", c->functions.at[i].name);
		hide_named(c->native, name);
		free(name);
	}
	hide_named(c->native, "__td_main");
	hide_named(c->native, "td.edges");
	hide_named(c->native, "td.cover");
	hide_named(c->native, "td.functions");
	hide_named(c->native, "td.models");
}

bool clone_make(struct clone *c, struct err *err)
{
	struct unit *native = c->native, *traced = c->traced;
	for (Value f = LLVMGetFirstFunction(native->module); f; f = LLVMGetNextFunction(f))
		if (is_cloned(f))
			list_push(&c->functions, ((struct cloned){memory_printf("%s", unit_name(f)), false}));
	for (Value f = LLVMGetFirstFunction(traced->module); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && strncmp(unit_name(f), "llvm.", 5) != 0 && strncmp(unit_name(f), "__td_", 5) != 0)
			drop_promises(f);
	if (!native->options.models) {
		models_use(traced);
		tables_use(traced);
	}
	module_write_marks(native, traced);
	for (size_t i = 0; i < c->functions.count; i++)
		c->functions.at[i].dispatched = needs_dispatcher(LLVMGetNamedFunction(native->module, c->functions.at[i].name));
	bounds_variables(traced);
	traced_variables(traced);
	traced_others(traced);
	traced_ifuncs(traced);
	traced->edges = LLVMAddGlobal(traced->module, facts_edges_type(c->facts, traced), "td.edges");
	traced->cover = LLVMAddGlobal(traced->module, traced->ptr, "td.cover");
	unit_start_data(traced);
	if (!traced_functions(c, err))
		return false;

	size_t n = c->functions.count;
	Value *dispatchers = memory_array(n, sizeof *dispatchers), *bodies = memory_array(n, sizeof *bodies), *records = memory_array(n, sizeof *records);
	for (size_t i = 0; i < n; i++) {
		bodies[i] = LLVMGetNamedFunction(native->module, c->functions.at[i].name);
		dispatchers[i] = native_function(c, &c->functions.at[i]);
	}
	for (size_t i = 0; i < n; i++)
		records[i] = function_record(native, dispatchers[i], bodies[i]);
	Value edges = define_array(native, "td.edges", LLVMConstNull(facts_edges_type(c->facts, native)), TD_EDGE_SECTION, 1);
	Value table = define_array(native, "td.functions", LLVMConstArray2(facts_record_type(native), records, n), TD_FUNCTION_SECTION, 8);
	Value cover = define_array(native, "td.cover", edges, TD_COVER_SECTION, 8);
	Value facts = facts_write(c->facts, native, edges, table);
	module_keep(native, (Value[]){edges, cover, table, facts, models_table(c)}, 5);
	Value program = LLVMGetNamedFunction(native->module, "__td_main");
	if (program)
		module_write_main(native, program);
	module_write(native);
	expose_locals(c);
	return true;
}

void clone_join(struct clone *c)
{
	LLVMLinkModules2(c->native->module, c->traced->module); /* consumes the traced module */
	hide_locals(c);
}
