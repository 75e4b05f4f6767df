/* Functions written as IR text. */
#ifndef TANDEM_TESTS_COMPILE_IR_H
#define TANDEM_TESTS_COMPILE_IR_H

#include "compile/unit.h"

#include <llvm-c/IRReader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ir {
	LLVMContextRef context;
	LLVMModuleRef module;
};

static inline struct ir ir_parse(const char *text)
{
	struct ir ir = { .context = LLVMContextCreate() };
	char *message = NULL;
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
	if (LLVMParseIRInContext(ir.context, buffer, &ir.module, &message)) { /* takes the buffer */
		fprintf(stderr, "%s\n", message);
		abort();
	}
	return ir;
}

static inline Value ir_function(const struct ir *ir, const char *name)
{
	Value f = LLVMGetNamedFunction(ir->module, name);
	if (!f)
		abort();
	return f;
}

static inline void ir_free(struct ir *ir)
{
	LLVMDisposeModule(ir->module);
	LLVMContextDispose(ir->context);
}

#endif
