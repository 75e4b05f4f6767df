/* See global.h. The runtime's map of objects has one owner per 16 bytes, and the byte behind an object's end is still its own. So a
 * variable is aligned to 16 bytes and followed by 1 to 16 bytes of padding, up to the end of its last granule: T becomes
 * %td.padded = { T, [n x i8] }. The name of that type is how later stages know a padded variable. The padding is part
 * of the variable, and not left to its neighbours' alignment, since the neighbours may come from other compilers, and a linker that
 * copies a library's variable into the program goes by the size of the symbol.
 *
 * Only what is surely ours is changed: a definition in this file that the linker cannot exchange for another one. (AddressSanitizer draws
 * the same line in shouldInstrumentGlobal.) Left alone, without a row, and therefore unknown memory, are
 *
 *   - variables in a section of their own: such a section is an array that somebody walks from __start_ to __stop_
 *   - common, weak and linkonce ones, those in comdats: another file's definition, of its own layout, may be chosen
 *   - thread-local ones of which the program says how they are found: room for those may be short
 *   - what has no bytes: a mark in memory, whose neighbours are meant
 *   - all in a file with #pragma clang section, which is an attribute that cannot be copied
 *   - what a table of many thousand pointers points to: LLVM makes a new table for each pointer that changes
 *   - extern and available_externally: defined elsewhere; llvm.*: not variables; td.*: ours
 *
 * Thread-local ones are padded but have no row: there is one per thread, at addresses no table can name. Who takes the address of one tells of it.
 *
 * A literal is a variable like any other, but loses its unnamed_addr: the linker would merge it with another that has the same bytes,
 * padding included, and two objects of different size would be in one place.
 *
 * A shared library's variable may live elsewhere: copied into the program, or because another module's variable of
 * that name comes first. About that one nothing is known. The row has both addresses, and counts if they are the same. */
#include "compile/global.h"

#include "compile/module.h"
#include "contract/module.h"
#include "contract/object.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PADDED "td.padded"
enum { GIANT = 8192 }; /* operands */
#define SECOND ".td.t" /* how clone.c calls the traced version's copy of a table of labels */

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	size_t n = strlen(text), k = strlen(with);
	return n >= k && strcmp(text + n - k, with) == 0;
}

static bool has_section(Value g)
{
	const char *section = LLVMGetSection(g);
	return section && *section;
}

static bool is_ours(Value g)
{
	return starts(unit_name(g), "llvm.") || starts(unit_name(g), "td.") || starts(unit_name(g), "__td");
}

/* ---- the padding ---- */

bool global_is_padded(Value g)
{
	Type type = LLVMGlobalGetValueType(g);
	const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
	return name && starts(name, PADDED);
}

uint64_t global_size(const struct unit *u, Value g)
{
	Type type = LLVMGlobalGetValueType(g);
	return LLVMABISizeOfType(u->layout, global_is_padded(g) ? LLVMStructGetTypeAtIndex(type, 0) : type);
}

/* Is it part of a very long constant? */
static bool is_in_giant(Value constant, unsigned depth)
{
	for (LLVMUseRef use = LLVMGetFirstUse(constant); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (!LLVMIsAConstant(user) || LLVMIsAGlobalValue(user))
			continue;
		if (LLVMGetNumOperands(user) > GIANT || (depth < 4 && is_in_giant(user, depth + 1)))
			return true;
	}
	return false;
}

static bool may_change(const struct unit *u, Value g)
{
	LLVMLinkage linkage = LLVMGetLinkage(g);
	return LLVMGetInitializer(g) && (linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) &&
	       (!LLVMIsThreadLocal(g) || LLVMGetThreadLocalMode(g) == LLVMGeneralDynamicTLSModel) && !has_section(g) && !LLVMGetComdat(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 0 && !is_ours(g) &&
	       global_size(u, g) > 0 && !is_in_giant(g, 0);
}

static Value pad_value(struct unit *u, Value initial)
{
	Type type = LLVMTypeOf(initial), padded = LLVMStructCreateNamed(u->context, PADDED);
	Type padding = LLVMArrayType2(u->i8, TD_GRANULE - LLVMABISizeOfType(u->layout, type) % TD_GRANULE);
	LLVMStructSetBody(padded, (Type[]){type, padding}, 2, false);
	return LLVMConstNamedStruct(padded, (Value[]){initial, LLVMConstNull(padding)}, 2);
}

static void copy_metadata(Value from, Value to)
{
	size_t count;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
	for (unsigned k = 0; k < count; k++)
		LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, k), LLVMValueMetadataEntriesGetMetadata(entries, k));
	LLVMDisposeValueMetadataEntries(entries);
}

/* Can no other module's definition take the place of ours? Not in a program, whose own come first. */
static bool binds_here(const struct unit *u, Value g)
{
	return LLVMGetLinkage(g) != LLVMExternalLinkage || LLVMGetVisibility(g) != LLVMDefaultVisibility ||
	       !LLVMGetModuleFlag(u->module, "PIC Level", 9) || LLVMGetModuleFlag(u->module, "PIE Level", 9);
}

/* Clang says dso_local of such variables. The C API has no word for it, but what was hidden once stays so. */
static void set_local(Value g)
{
	LLVMVisibility visibility = LLVMGetVisibility(g);
	LLVMSetVisibility(g, LLVMHiddenVisibility);
	LLVMSetVisibility(g, visibility);
}

static void pad(struct unit *u, Value old)
{
	Value initial = pad_value(u, LLVMGetInitializer(old)), new = LLVMAddGlobal(u->module, LLVMTypeOf(initial), "");
	unsigned align = LLVMPreferredAlignmentOfGlobal(u->layout, old); /* what it has, if it says so */
	char *name = memory_printf("%s", unit_name(old));
	LLVMSetInitializer(new, initial);
	LLVMSetAlignment(new, align > TD_GRANULE ? align : TD_GRANULE);
	LLVMSetLinkage(new, LLVMGetLinkage(old));
	LLVMSetVisibility(new, LLVMGetVisibility(old));
	LLVMSetThreadLocalMode(new, LLVMGetThreadLocalMode(old));
	LLVMSetGlobalConstant(new, LLVMIsGlobalConstant(old));
	LLVMSetExternallyInitialized(new, LLVMIsExternallyInitialized(old));
	if (LLVMGetLinkage(new) == LLVMExternalLinkage && binds_here(u, new))
		set_local(new);
	copy_metadata(old, new);
	LLVMReplaceAllUsesWith(old, new);
	LLVMDeleteGlobal(old);
	LLVMSetValueName2(new, name, strlen(name));
	free(name);
}

/* Is there a variable with attributes, of which the C API knows nothing? LLVM prints attributes as the number of a group, and numbers those of
 * variables before those of functions: so the first function's group has number 0 if there is none. A call with that group is short to print. */
static bool has_attributes(struct unit *u)
{
	LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	Value first = LLVMGetFirstFunction(u->module);
	while (first && !LLVMGetAttributeCountAtIndex(first, index))
		first = LLVMGetNextFunction(first);
	if (!first)
		return false;
	unsigned n = LLVMGetAttributeCountAtIndex(first, index);
	LLVMAttributeRef *list = memory_array(n, sizeof *list);
	LLVMGetAttributesAtIndex(first, index, list);
	Type type = LLVMFunctionType(u->none, NULL, 0, false);
	Value probe = LLVMAddFunction(u->module, "td.probe", type);
	LLVMPositionBuilderAtEnd(u->builder, unit_block(u, probe, NULL, ""));
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value call = LLVMBuildCall2(u->builder, type, probe, NULL, 0, "");
	for (unsigned k = 0; k < n; k++)
		LLVMAddCallSiteAttribute(call, index, list[k]);
	char *text = LLVMPrintValueToString(call);
	const char *number = strrchr(text, '#');
	bool found = number && atoi(number + 1) > 0;
	LLVMDisposeMessage(text);
	LLVMInstructionEraseFromParent(call); /* it uses the function */
	LLVMDeleteFunction(probe);
	free(list);
	return found;
}

void global_pad(struct unit *u)
{
	LIST(Value) all = {0};
	if (has_attributes(u)) /* #pragma clang section */
		return;
	for (Value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
		if (may_change(u, g))
			list_push(&all, g);
	for (size_t i = 0; i < all.count; i++)
		pad(u, all.at[i]);
	free(all.at);
}

/* ---- a row ---- */

/* Initialised, and the program may change it: for the test mode that makes these symbolic. */
static bool is_initialised(Value g)
{
	LLVMLinkage linkage = LLVMGetLinkage(g);
	return LLVMGetInitializer(g) && !LLVMIsNull(LLVMGetInitializer(g)) && !LLVMIsGlobalConstant(g) && !LLVMIsThreadLocal(g) && !has_section(g) &&
	       linkage != LLVMAvailableExternallyLinkage && linkage != LLVMWeakAnyLinkage && linkage != LLVMLinkOnceAnyLinkage &&
	       !is_ours(g) && !ends(unit_name(g), SECOND);
}

static unsigned flags_of(Value g)
{
	unsigned flags = LLVMGetInitializer(g) && global_is_padded(g) && !LLVMIsThreadLocal(g) ? TD_GLOBAL_OBJECT : 0u;
	flags |= is_initialised(g) ? TD_GLOBAL_INITIALISED : 0u;
	return flags && LLVMIsGlobalConstant(g) ? flags | TD_GLOBAL_CONSTANT : flags;
}

static unsigned line_of(const struct unit *u, Value g)
{
	size_t count;
	unsigned line = 0, debug = LLVMGetMDKindIDInContext(u->context, "dbg", 3);
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(g, &count);
	for (unsigned k = 0; k < count; k++)
		if (LLVMValueMetadataEntriesGetKind(entries, k) == debug)
			line = LLVMDIVariableGetLine(LLVMDIGlobalVariableExpressionGetVariable(LLVMValueMetadataEntriesGetMetadata(entries, k)));
	LLVMDisposeValueMetadataEntries(entries);
	return line;
}

/* ---- names ---- */

#define LITERAL "string literal"

/* The names of a file's variables, one after the other; that of literals is the first. */
struct names { LIST(char) bytes; };

static size_t names_put(struct names *names, const char *name, size_t length)
{
	size_t at = names->bytes.count;
	for (size_t k = 0; k < length; k++)
		list_push(&names->bytes, name[k]);
	list_push(&names->bytes, '\0');
	return at;
}

/* By its symbol, but what has no name in the source by what it is. */
static size_t names_add(struct names *names, Value g)
{
	const char *name = unit_name(g);
	if (starts(name, ".str"))
		return 0;
	if (starts(name, ".compoundliteral"))
		name = "compound literal";
	if (starts(name, "td."))
		name = "constant";
	return names_put(names, name, strlen(name) - (ends(name, SECOND) ? strlen(SECOND) : 0));
}

static Value names_write(struct unit *u, const struct names *names)
{
	Value text = LLVMConstStringInContext2(u->context, names->bytes.at, names->bytes.count, true);
	Value global = LLVMAddGlobal(u->module, LLVMTypeOf(text), "td.names");
	LLVMSetInitializer(global, text);
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	return global;
}

/* ---- the table ---- */

/* This module's own, whatever the symbol stands for in the end. */
static Value own(struct unit *u, Value g)
{
	Value alias = LLVMAddAlias2(u->module, LLVMGlobalGetValueType(g), 0, g, "td.own");
	LLVMSetLinkage(alias, LLVMPrivateLinkage);
	return alias;
}

static Value row(struct unit *u, Value g, Value table, size_t at, Value name)
{
	Value here = u->zero, called = unit_self_relative(u, table, at + offsetof(struct td_global, name_link), name);
	if ((flags_of(g) & TD_GLOBAL_OBJECT) && !binds_here(u, g))
		here = unit_self_relative(u, table, at + offsetof(struct td_global, own_link), own(u, g));
	Value fields[] = {g, unit_const64(u, global_size(u, g)), here, called, unit_const32(u, flags_of(g)), unit_const32(u, line_of(u, g))};
	return LLVMConstStructInContext(u->context, fields, 6, false);
}

static Value write_rows(struct unit *u, const Value *variables, size_t count)
{
	struct names names = {0};
	size_t *places = memory_array(count, sizeof *places);
	Value *rows = memory_array(count, sizeof *rows);
	Type fields[] = {u->ptr, u->i64, u->i32, u->i32, u->i32, u->i32}, type = LLVMStructTypeInContext(u->context, fields, 6, false);
	names_put(&names, LITERAL, strlen(LITERAL));
	for (size_t i = 0; i < count; i++)
		places[i] = names_add(&names, variables[i]);
	Value text = names_write(u, &names), table = LLVMAddGlobal(u->module, LLVMArrayType2(type, count), "td.globals");
	for (size_t i = 0; i < count; i++) {
		Value at = unit_const64(u, places[i]);
		rows[i] = row(u, variables[i], table, i * sizeof(struct td_global), LLVMConstGEP2(u->i8, text, &at, 1));
	}
	LLVMSetInitializer(table, LLVMConstArray2(type, rows, count));
	LLVMSetLinkage(table, LLVMInternalLinkage);
	LLVMSetSection(table, TD_GLOBAL_SECTION);
	LLVMSetAlignment(table, 8);
	free(names.bytes.at);
	free(places);
	free(rows);
	return table;
}

void global_write_table(struct unit *u)
{
	LIST(Value) all = {0};
	for (Value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
		if (!flags_of(g))
			continue;
		list_push(&all, g);
		LLVMSetUnnamedAddress(g, LLVMNoUnnamedAddr); /* the optimiser may have found that nobody compares its address */
	}
	Value table = all.count ? write_rows(u, all.at, all.count) : NULL;
	module_keep(u, &table, 1);
	free(all.at);
}
