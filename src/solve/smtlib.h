/* Queries as files that any SMT solver reads. */
#ifndef TANDEM_SOLVE_SMTLIB_H
#define TANDEM_SOLVE_SMTLIB_H

#include "base/err.h"
#include "solve/problem.h"

/* DIR/NUMBER-KEY.smt2; the directory must be there. */
bool smtlib_write(const char *dir, uint64_t number, const struct problem *p, enum verdict verdict, struct arena *arena, struct err *err);

#endif
