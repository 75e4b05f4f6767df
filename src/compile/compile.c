/* The stages of one file: read, fix the semantics, number the sites, read again, promote locals to registers, weave, optimise, link
 * the two versions, write. Semantics are fixed on the raw IR (no promise about overflow survives), so that the optimiser cannot
 * disagree with the terms the woven code builds. */
#include "compile/compile.h"

#include "base/mem.h"
#include "compile/bounds.h"
#include "compile/clone.h"
#include "compile/cover.h"
#include "compile/facts.h"
#include "compile/flow.h"
#include "compile/global.h"
#include "compile/scope.h"
#include "compile/signature.h"
#include "compile/size.h"
#include "compile/weave.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>
#include <string.h>

static void strip_promises(Value i, unsigned mark, Value empty)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	if (mark && (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul) && LLVMGetNSW(i))
		LLVMSetMetadata(i, mark, empty);
	switch (opcode) {
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl:
		LLVMSetNSW(i, false);
		LLVMSetNUW(i, false);
		break;
	case LLVMUDiv: case LLVMSDiv: case LLVMLShr: case LLVMAShr: LLVMSetExact(i, false); break;
	case LLVMOr: LLVMSetIsDisjoint(i, false); break;
	case LLVMZExt: LLVMSetNNeg(i, false); break;
	case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(i, 0); break;
	default: break;
	}
	if (LLVMCanValueUseFastMathFlags(i))
		LLVMSetFastMathFlags(i, LLVMFastMathNone);
}

static void drop_attribute(Value function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

/* At -O0 clang marks every function noinline, which the real optimisation behind us would obey. These have to have it. */
static bool must_stay_whole(Value function)
{
	return unit_has_attribute(function, "optnone") || unit_has_attribute(function, "naked");
}

static void fix_semantics(LLVMModuleRef module, bool checks_signed)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned mark = checks_signed ? LLVMGetMDKindIDInContext(context, "td.signed", 9) : 0;
	Value empty = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0));
	for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!must_stay_whole(f))
			drop_attribute(f, "noinline");
		for (Block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				strip_promises(i, mark, empty);
	}
}

/* A variable that was never set is 0 in traced runs: the optimiser would choose a value per use, and the two sides would not choose
 * the same. */
static void define_undefined(LLVMModuleRef module)
{
	for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (Block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				for (int k = 0; k < LLVMGetNumOperands(i); k++) {
					Value v = LLVMGetOperand(i, (unsigned)k);
					if (v && LLVMIsAUndefValue(v))
						LLVMSetOperand(i, (unsigned)k, LLVMConstNull(LLVMTypeOf(v)));
				}
}

/* The weaver lives on passes that leave out such functions, reg2mem for one. */
static void allow_passes(LLVMModuleRef traced)
{
	for (Value f = LLVMGetFirstFunction(traced); f; f = LLVMGetNextFunction(f))
		drop_attribute(f, "optnone");
}

/* What the optimiser has to know about the machine; CPU and features are attributes of the functions. */
static LLVMTargetMachineRef machine_for(LLVMModuleRef module)
{
	LLVMTargetRef target;
	char *message = NULL;
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &message)) {
		LLVMDisposeMessage(message);
		return NULL;
	}
	return LLVMCreateTargetMachine(target, LLVMGetTarget(module), "", "", LLVMCodeGenLevelDefault, LLVMRelocDefault, LLVMCodeModelDefault);
}

bool compile_passes(LLVMModuleRef module, const char *passes, struct err *err)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMPassBuilderOptionsSetSLPVectorization(options, true);
	LLVMTargetMachineRef machine = machine_for(module);
	LLVMErrorRef failed = LLVMRunPasses(module, passes, machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (machine)
		LLVMDisposeTargetMachine(machine);
	if (!failed)
		return true;
	char *message = LLVMGetErrorMessage(failed);
	err_set(err, "LLVM: %s", message);
	LLVMDisposeErrorMessage(message);
	return false;
}

/* These keep every branch and switch (569 of 569 in four files of GNU sed); simplifycfg, for one, does not. A read outside of a constant array is a value that nobody defined, and where a branch says what the index is it would be
 * folded before we have seen it: so nothing is constant meanwhile. */
static bool settle(LLVMModuleRef module, struct err *err)
{
	LIST(LLVMValueRef) constants = {0};
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		if (LLVMIsGlobalConstant(g)) {
			list_push(&constants, g);
			LLVMSetGlobalConstant(g, false);
		}
	bool ok = compile_passes(module, "function(sroa<preserve-cfg>,early-cse<memssa>,gvn<no-pre;no-load-pre;no-split-backedge-load-pre>,dse)", err);
	for (size_t i = 0; i < constants.count; i++)
		LLVMSetGlobalConstant(constants.at[i], true);
	free(constants.at);
	return ok;
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *path, struct err *err)
{
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *message = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
		err_set(err, "%s: %s", path, message);
		return NULL;
	}
	if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
		err_set(err, "%s: not LLVM bitcode", path);
		return NULL;
	}
	LLVMDisposeMemoryBuffer(buffer);
	return module;
}

static LLVMModuleRef read_again(LLVMContextRef context, LLVMModuleRef module, struct err *err)
{
	LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
	LLVMModuleRef copy;
	if (LLVMParseBitcodeInContext2(context, buffer, &copy)) {
		err_set(err, "cannot read back our own bitcode");
		return NULL;
	}
	LLVMDisposeMemoryBuffer(buffer);
	return copy;
}

static bool verify(LLVMModuleRef module, const char *stage, struct err *err)
{
	char *message = NULL;
	if (!LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
		LLVMDisposeMessage(message);
		return true;
	}
	message[strcspn(message, "\n")] = 0;
	err_set(err, "internal error %s: %s", stage, message);
	LLVMDisposeMessage(message);
	return false;
}

/* The file that was compiled. What its first function is in may be another that it includes. */
static LLVMMetadataRef file_of(LLVMModuleRef module)
{
	unsigned count = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
	Value *units = mem_alloc((count + 1) * sizeof *units);
	LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
	LLVMMetadataRef file = count ? LLVMDIScopeGetFile(LLVMValueAsMetadata(units[0])) : NULL;
	free(units);
	return file;
}

/* The symbolic sides get lines, in a compile unit of their own, of the same name (trace/debug.c); NULL: the file was compiled without -g. */
static LLVMDIBuilderRef open_debug(LLVMModuleRef module)
{
	LLVMMetadataRef file = file_of(module);
	if (!file)
		return NULL;
	LLVMDIBuilderRef b = LLVMCreateDIBuilder(module);
	LLVMDIBuilderCreateCompileUnit(b, LLVMDWARFSourceLanguageC11, file, "tandem", 6, false, "", 0, 0, "", 0,
	                               LLVMDWARFEmissionLineTablesOnly, 0, false, false, "", 0, "", 0);
	return b;
}

/* The native version is optimised as clang would. The traced one has blocks and exits at every turn, on which all of -O2 would
 * be spent twice over: it gets what undoes reg2mem and serves loops. Coverage is marked between: before branches are merged, and after small functions
 * have been inlined, which marks would make large. */
static bool optimise(struct clone *clone, struct err *err)
{
	static const char native[] = "default<O2>", inlining[] = "cgscc(inline)", traced[] =
		"function(sroa,early-cse<memssa>,simplifycfg,"
		"loop-mssa(loop-rotate,licm),instcombine<no-verify-fixpoint>,simplifycfg),globaldce";
	cover_hide(clone->traced);
	if (!compile_passes(clone->traced->module, inlining, err))
		return false;
	cover_mark(clone->traced);
	if (!compile_passes(clone->traced->module, traced, err) || !compile_passes(clone->native->module, native, err))
		return false;
	clone_join(clone);
	if (!compile_passes(clone->native->module, "globaldce", err))
		return false;
	global_write_table(clone->native);
	return true;
}

bool compile_bitcode(const char *in, const char *out, struct unit_options options, struct err *err)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMContextSetDiscardValueNames(context, !options.dump);
	struct unit native = {.options = options}, traced = {.options = options};
	struct facts facts = {0};
	LLVMModuleRef module = read_module(context, in, err);
	if (!module)
		return false;
	LLVMSetIsNewDbgInfoFormat(module, false); /* debug records would be lost when instructions move */
	size_tag(module, options.wraps);
	fix_semantics(module, options.checks_signed);
	unit_setup(&native, context, module);
	facts_collect(&facts, &native);
	if (!options.models && !flow_collect(&facts, &native, err))
		return false;
	global_pad(&native);
	clone_prepare(&native);
	LLVMModuleRef copy = read_again(context, module, err);
	if (!options.models)
		signature_keep(&native);
	if (copy) {
		allow_passes(copy);
		LLVMSetIsNewDbgInfoFormat(copy, false);
		unit_setup(&traced, context, copy);
		bounds_mark(&traced);
		safety_mark(&traced);
		safety_keep(&traced);
		scope_mark(&traced);
	}
	if (!copy || !settle(copy, err))
		return false;
	LLVMSetIsNewDbgInfoFormat(copy, false);
	define_undefined(copy);
	traced.debug = open_debug(copy);
	struct clone clone = {.native = &native, .traced = &traced, .facts = &facts};
	if (!clone_make(&clone, err) || !optimise(&clone, err))
		return false;
	char *message = NULL;
	if (options.dump && LLVMPrintModuleToFile(module, options.dump, &message))
		return err_set(err, "%s: %s", options.dump, message);
	if (options.verify && !verify(module, "after instrumentation", err))
		return false;
	if (LLVMWriteBitcodeToFile(module, out))
		return err_errno(err, "cannot write %s", out);
	return true;
}
