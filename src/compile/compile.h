/* One source file: raw bitcode in, instrumented bitcode out. */
#ifndef TANDEM_COMPILE_COMPILE_H
#define TANDEM_COMPILE_COMPILE_H

#include "base/err.h"
#include "compile/unit.h"

bool compile_bitcode(const char *in, const char *out, struct unit_options options, struct err *err);
bool compile_passes(LLVMModuleRef module, const char *passes, struct err *err);

#endif
