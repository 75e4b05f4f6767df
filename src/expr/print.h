/* Terms for people: C-like text over named inputs, `stdin[3] == 'x'`. */
#ifndef TANDEM_EXPR_PRINT_H
#define TANDEM_EXPR_PRINT_H

#include "base/str.h"
#include "expr/terms.h"

struct print {
	struct terms terms;              /* checked (terms_check) */
	const struct td_input *inputs;   /* their names; terminated (trace_view sees to that) */
	uint32_t inputs_count;
	unsigned limit;                  /* nodes written before "..."; 0: PRINT_LIMIT */
};

#define PRINT_LIMIT 60u

void print_term(const struct print *p, uint32_t id, struct str *out);
void print_condition(const struct print *p, uint32_t id, bool truth, struct str *out); /* negated if it was false */
void print_constant(u128 value, unsigned bits, struct str *out);
void print_input(const struct print *p, uint32_t object, struct str *out); /* its name, plain ASCII */
void print_ascii(const char *text, struct str *out); /* what is no printable ASCII as \xNN */
void print_json(const char *text, struct str *out);  /* the inside of a JSON string; bytes >= 128 as Latin-1 */

#endif
