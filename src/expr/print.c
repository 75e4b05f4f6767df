/* Terms for people. What the compiler added and a reader does not want is left out, never what changes the meaning:
 *
 *   (zext32(stdin[3]) == 120)          stdin[3] == 'x'
 *   concat(in[3], concat(in[2], ...))  stdin[0..3]              little endian; be(stdin[0..3]) the other way round
 *   zext32(stdin[0] < 5) != 0          stdin[0] < 5
 *   (a == b) ^ 1                       a != b
 *   x + 0xffffffd0                     x - 48
 *
 * An expression reads as signed, as in C, except input bytes and elements of tables, which are unsigned; operators that are unsigned
 * on something that reads as signed carry the mark u (`<u`), and input bytes under a signed one a cast. The text is
 * cut at a number of nodes, which also bounds the recursion: terms are DAGs and may be gigantic as trees. */
#include "expr/print.h"

#include "expr/op.h"

#include <ctype.h>
#include <string.h>

enum style { STYLE_PLAIN, STYLE_UNSIGNED, STYLE_CHAR, STYLE_FLOAT };

struct writer {
	const struct print *p;
	struct str *out;
	unsigned left;
};

static void put(struct writer *w, uint32_t id, enum style style, bool nested);

static const struct td_node *node(const struct writer *w, uint32_t id)
{
	return &w->p->terms.nodes[id];
}

static bool is_const(const struct writer *w, uint32_t id)
{
	return node(w, id)->op == TD_CONST;
}

static bool is_value(const struct writer *w, uint32_t id, u128 value)
{
	return is_const(w, id) && terms_value(&w->p->terms, id) == value;
}

/* Below zero-extensions, and below sign-extensions too if asked. */
static uint32_t strip(const struct writer *w, uint32_t id, bool both)
{
	while (node(w, id)->op == TD_ZEXT || (both && node(w, id)->op == TD_SEXT))
		id = node(w, id)->a;
	return id;
}

static bool is_byte(const struct writer *w, uint32_t id)
{
	return node(w, strip(w, id, true))->op == TD_INPUT;
}

/* --- leaves --- */

void print_ascii(const char *text, struct str *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c >= 0x20 && c < 0x7f)
			str_add_char(out, (char)c);
		else
			str_printf(out, "\\x%02x", c);
	}
}

void print_json(const char *text, struct str *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			str_printf(out, "\\%c", c);
		else if (c >= 0x20 && c < 0x7f)
			str_add_char(out, (char)c);
		else
			str_printf(out, "\\u%04x", c);
	}
}

void print_input(const struct print *p, uint32_t object, struct str *out)
{
	if (object < p->inputs_count && p->inputs[object].name[0])
		print_ascii(p->inputs[object].name, out);
	else
		str_printf(out, "input%u", object);
}

static void put_magnitude(u128 value, struct str *out)
{
	if (value <= 9999)
		str_printf(out, "%u", (unsigned)value);
	else if (value >> 64)
		str_printf(out, "0x%llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)value);
	else
		str_printf(out, "0x%llx", (unsigned long long)value);
}

void print_constant(u128 value, unsigned bits, struct str *out)
{
	u128 negated = value_trim(-value, bits);
	bool minus = bits > 1 && value_negative(value, bits) && negated <= 9999;
	if (minus)
		str_add_char(out, '-');
	put_magnitude(minus ? negated : value, out);
}

static bool is_letter(u128 value)
{
	return value < 0x7f && (value >= 0x20 || strchr("\n\t\r", (int)value)); /* strchr finds the 0 too */
}

static void put_letter(u128 value, struct str *out)
{
	static const char escaped[] = "\n\t\r\\'", letters[] = "ntr\\'0";
	const char *e = strchr(escaped, (int)value);
	if (e)
		str_printf(out, "'\\%c'", letters[e - escaped]);
	else
		str_printf(out, "'%c'", (int)value);
}

static void put_float(u128 pattern, unsigned bits, struct str *out)
{
	float f = 0;
	double d = 0;
	long double l = 0;
	if (bits == 32) {
		memcpy(&f, &pattern, 4);
		str_printf(out, "%.9g", (double)f);
	} else if (bits == 64) {
		memcpy(&d, &pattern, 8);
		str_printf(out, "%.17g", d);
	} else {
		memcpy(&l, &pattern, 10);
		str_printf(out, "%.21Lg", l);
	}
}

static void put_const(struct writer *w, uint32_t id, enum style style)
{
	unsigned bits = node(w, id)->bits;
	u128 value = terms_value(&w->p->terms, id);
	if (style == STYLE_CHAR && is_letter(value))
		put_letter(value, w->out);
	else if (style == STYLE_FLOAT && (bits == 32 || bits == 64 || bits == 80))
		put_float(value, bits, w->out);
	else if (style == STYLE_UNSIGNED)
		put_magnitude(value, w->out);
	else
		print_constant(value, bits, w->out);
}

/* --- runs of input bytes --- */

struct run {
	uint32_t object, first, count; /* first: offset of the highest byte of the value */
	int step;                      /* -1: little endian, 1: big endian, 0: one byte so far */
};

/* Adds the bytes of a term to a run, highest first; false if they do not continue it. */
static bool run_add(const struct writer *w, uint32_t id, struct run *r)
{
	const struct td_node *n = node(w, id);
	if (n->op == TD_CONCAT)
		return run_add(w, n->a, r) && run_add(w, n->b, r);
	if (n->op != TD_INPUT)
		return false;
	if (r->count == 0) {
		*r = (struct run){ n->a, n->b, 1, 0 };
		return true;
	}
	if (r->count == 1)
		r->step = n->b > r->first ? 1 : -1;
	uint32_t next = r->first + (r->step > 0 ? r->count : -r->count);
	r->count++;
	return n->a == r->object && n->b == next;
}

static bool is_run(const struct writer *w, uint32_t id, struct run *r)
{
	*r = (struct run){0};
	return run_add(w, id, r);
}

static void put_run(struct writer *w, struct run r)
{
	uint32_t last = r.first + (r.step > 0 ? r.count - 1 : 0), low = last - (r.count - 1);
	if (r.step > 0)
		str_add(w->out, "be(");
	print_input(w->p, r.object, w->out);
	if (r.count == 1)
		str_printf(w->out, "[%u]", low);
	else
		str_printf(w->out, "[%u..%u]", low, last);
	if (r.step > 0)
		str_add(w->out, ")");
}

/* --- signedness --- */

static bool reads_unsigned(const struct writer *w, uint32_t id)
{
	struct run r;
	unsigned op = node(w, id)->op;
	return op == TD_ZEXT || op == TD_LENGTH || op == TD_TABLE || is_run(w, id, &r);
}

/* Needs no u mark beside an unsigned operator. */
static bool is_natural(const struct writer *w, uint32_t id)
{
	return reads_unsigned(w, id) || (is_const(w, id) && !value_negative(terms_value(&w->p->terms, id), node(w, id)->bits));
}

static bool is_c_width(unsigned bits)
{
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static void put_cast(struct writer *w, uint32_t id, bool is_signed, enum style style)
{
	unsigned bits = node(w, id)->bits;
	if (bits > 1)
		str_printf(w->out, is_c_width(bits) ? "(%sint%u_t)" : "(%sint%u)",
		           is_signed ? "" : "u", bits);
	put(w, id, style, true);
}

/* An operand of a signed operator: what comes from an input or a table and was not extended needs to be told it is signed. */
static void put_signed(struct writer *w, uint32_t id, enum style style)
{
	struct run r;
	const struct td_node *n = node(w, id);
	if (is_run(w, id, &r) || n->op == TD_TABLE)
		put_cast(w, id, true, style);
	else if (n->op == TD_EXTRACT && n->b == 0 && is_c_width(n->bits)) {
		str_printf(w->out, "(int%u_t)", n->bits);
		put(w, n->a, style, true);
	}
	else
		put(w, id, style, true);
}

/* --- conditions --- */

enum relation { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE };

static const char *const relation_text[] = { "==", "!=", "<", "<=", ">", ">=" };
static const enum relation negation[] = { REL_NE, REL_EQ, REL_GE, REL_GT, REL_LE, REL_LT };
static const enum relation mirror[] = { REL_EQ, REL_NE, REL_GT, REL_GE, REL_LT, REL_LE };

static bool is_comparison(unsigned op)
{
	return op >= TD_EQ && op <= TD_SLE;
}

static enum relation relation_of(unsigned op)
{
	return op == TD_EQ ? REL_EQ : op == TD_NE ? REL_NE : op == TD_ULT || op == TD_SLT ? REL_LT : REL_LE;
}

/* A sign-extended byte equals a constant up to 127 exactly if the plain byte does. */
static uint32_t equality_operand(const struct writer *w, uint32_t id, uint32_t constant)
{
	bool small = is_const(w, constant) && terms_value(&w->p->terms, constant) < 128;
	return small && is_byte(w, id) ? strip(w, id, true) : id;
}

static void put_side(struct writer *w, unsigned op, uint32_t id, enum style style)
{
	if (op == TD_SLT || op == TD_SLE)
		put_signed(w, id, style);
	else
		put(w, id, style, true);
}

static void put_comparison(struct writer *w, const struct td_node *n, bool negate, bool nested)
{
	bool swap = is_const(w, n->a);
	uint32_t a = swap ? n->b : n->a, b = swap ? n->a : n->b;
	enum relation r = relation_of(n->op);
	r = swap ? mirror[r] : r;
	r = negate ? negation[r] : r;
	bool is_unsigned = n->op == TD_ULT || n->op == TD_ULE, natural = is_natural(w, a) && is_natural(w, b);
	bool equality = n->op == TD_EQ || n->op == TD_NE;
	enum style style = is_unsigned || (equality && reads_unsigned(w, a)) ? STYLE_UNSIGNED : STYLE_PLAIN;
	if (is_byte(w, a) && is_const(w, b) && is_letter(terms_value(&w->p->terms, b)) && (equality || !is_value(w, b, 0)))
		style = STYLE_CHAR;
	a = equality ? equality_operand(w, a, b) : a;
	if (nested)
		str_add_char(w->out, '(');
	put_side(w, n->op, a, style);
	str_printf(w->out, " %s%s ", relation_text[r], is_unsigned && !natural ? "u" : "");
	put_side(w, n->op, b, style);
	if (nested)
		str_add_char(w->out, ')');
}

/* Walks through what only says "true or false, in another width", and counts negations. */
static uint32_t peel(const struct writer *w, uint32_t id, bool *negate)
{
	for (;;) {
		const struct td_node *n = node(w, id);
		uint32_t inner = n->op == TD_EQ || n->op == TD_NE || n->op == TD_EXTRACT ? strip(w, n->a, false) : 0;
		bool one_bit = inner && node(w, inner)->bits == 1;
		if (n->op == TD_XOR && n->bits == 1 && is_value(w, n->b, 1)) {
			*negate = !*negate;
			id = n->a;
		} else if ((n->op == TD_EQ || n->op == TD_NE) && one_bit && is_value(w, n->b, 0)) {
			*negate ^= n->op == TD_EQ;
			id = inner;
		} else if (n->op == TD_EXTRACT && one_bit && n->b == 0) {
			id = inner;
		} else {
			return id;
		}
	}
}

/* --- everything else --- */

static const char *const fcmp_names[] = { "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                          "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true" };
static const char *const fcmp_texts[] = { [TD_FCMP_OEQ] = "==", [TD_FCMP_OGT] = ">", [TD_FCMP_OGE] = ">=",
                                          [TD_FCMP_OLT] = "<", [TD_FCMP_OLE] = "<=", [TD_FCMP_UNE] = "!=",
                                          [TD_FCMP_TRUE] = NULL };
static const char *const round_names[] = { "floor", "ceil", "trunc", "round", "roundeven" };

static void put_infix(struct writer *w, uint32_t a, const char *text, uint32_t b, enum style style, bool nested)
{
	if (nested)
		str_add_char(w->out, '(');
	put(w, a, style, true);
	str_printf(w->out, " %s ", text);
	put(w, b, style, true);
	if (nested)
		str_add_char(w->out, ')');
}

static void put_call(struct writer *w, const char *name, const struct td_node *n, unsigned arity, enum style style)
{
	const uint32_t children[3] = { n->a, n->b, n->c };
	str_printf(w->out, "%s(", name);
	for (unsigned i = 0; i < arity; i++) {
		if (i)
			str_add(w->out, ", ");
		put(w, children[i], style, false);
	}
	str_add_char(w->out, ')');
}

static void put_fcmp(struct writer *w, const struct td_node *n, bool nested)
{
	if (fcmp_texts[n->c]) {
		put_infix(w, n->a, fcmp_texts[n->c], n->b, STYLE_FLOAT, nested);
		return;
	}
	char name[16] = "fcmp_";
	strcat(name, fcmp_names[n->c]);
	put_call(w, name, n, 2, STYLE_FLOAT);
}

/* x + 0xffffffd0 is x - 48, and with a byte, where it makes a digit of it, x - '0'. */
static bool put_as_subtraction(struct writer *w, const struct td_node *n, bool nested)
{
	u128 by = is_const(w, n->b) ? value_trim(-terms_value(&w->p->terms, n->b), n->bits) : 0;
	if (n->op != TD_ADD || n->bits < 8 || by == 0 || by > 9999)
		return false;
	str_add(w->out, nested ? "(" : "");
	put(w, n->a, STYLE_PLAIN, true);
	str_add(w->out, " - ");
	if (is_byte(w, n->a) && by < 128 && isalnum((int)by))
		put_letter(by, w->out);
	else
		put_magnitude(by, w->out);
	str_add(w->out, nested ? ")" : "");
	return true;
}

static void put_operator(struct writer *w, const struct td_node *n, bool nested)
{
	const struct op *op = op_get(n->op);
	enum style style = op_is_float(n->op) && n->op != TD_UITOFP && n->op != TD_SITOFP ? STYLE_FLOAT : STYLE_PLAIN;
	if (op->arity != 2 || isalpha((unsigned char)op->text[0])) {
		put_call(w, op->text, n, op->arity, style);
		return;
	}
	bool marked = n->op == TD_UDIV || n->op == TD_UREM || n->op == TD_LSHR;
	if (marked && is_natural(w, n->a) && is_natural(w, n->b))
		put_infix(w, n->a, n->op == TD_UDIV ? "/" : n->op == TD_UREM ? "%" : ">>", n->b, style, nested);
	else
		put_infix(w, n->a, op->text, n->b, style, nested);
}

static void put_choice(struct writer *w, const struct td_node *n, bool nested)
{
	str_add(w->out, nested ? "(" : "");
	put(w, n->a, STYLE_PLAIN, true);
	str_add(w->out, " ? ");
	put(w, n->b, STYLE_PLAIN, true);
	str_add(w->out, " : ");
	put(w, n->c, STYLE_PLAIN, true);
	str_add(w->out, nested ? ")" : "");
}

static void put_extract(struct writer *w, const struct td_node *n)
{
	if (n->b == 0 && is_c_width(n->bits)) {
		str_printf(w->out, "(uint%u_t)", n->bits);
		put(w, n->a, STYLE_PLAIN, true);
		return;
	}
	put(w, n->a, STYLE_PLAIN, true);
	str_printf(w->out, ".bits[%u..%u]", n->b, n->b + n->bits - 1);
}

/* What is under an extension reads as unsigned (after zext) or signed (after sext) or is told so. */
static void put_extended(struct writer *w, const struct td_node *n, enum style style, bool nested)
{
	unsigned op = node(w, n->a)->op;
	if (n->op == TD_SEXT && node(w, n->a)->bits == 1) {
		str_add_char(w->out, '-');
		put(w, n->a, style, true);
	} else if (n->op == TD_SEXT) {
		put_signed(w, n->a, style);
	} else if (reads_unsigned(w, n->a) || op == TD_EXTRACT || node(w, n->a)->bits == 1) {
		put(w, n->a, style, nested);
	} else {
		put_cast(w, n->a, false, style);
	}
}

/* The name of the variable; the number tells its contents apart once they have changed. */
static void put_table(struct writer *w, const struct td_node *n)
{
	const struct td_array *a = &w->p->terms.arrays[n->b];
	print_ascii(a->name[0] ? a->name : "table", w->out);
	if (a->version || !a->name[0])
		str_printf(w->out, "#%u", a->version + 1u);
	str_add_char(w->out, '[');
	put(w, n->a, STYLE_PLAIN, false);
	str_add_char(w->out, ']');
}

static void put_node(struct writer *w, uint32_t id, enum style style, bool nested)
{
	const struct td_node *n = node(w, id);
	struct run r;
	if (is_run(w, id, &r)) {
		put_run(w, r);
		return;
	}
	switch (n->op) {
	case TD_CONST:
		put_const(w, id, style);
		break;
	case TD_LENGTH:
		str_add(w->out, "len(");
		print_input(w->p, n->a, w->out);
		str_add_char(w->out, ')');
		break;
	case TD_ZEXT: case TD_SEXT:
		put_extended(w, n, style, nested);
		break;
	case TD_EXTRACT:
		put_extract(w, n);
		break;
	case TD_ITE:
		put_choice(w, n, nested);
		break;
	case TD_FCMP:
		put_fcmp(w, n, nested);
		break;
	case TD_FNEG:
		str_add_char(w->out, '-');
		put(w, n->a, STYLE_FLOAT, true);
		break;
	case TD_FROUND:
		put_call(w, round_names[n->b], n, 1, STYLE_FLOAT);
		break;
	case TD_TABLE:
		put_table(w, n);
		break;
	default:
		if (!put_as_subtraction(w, n, nested))
			put_operator(w, n, nested);
	}
}

static void put_maybe_negated(struct writer *w, uint32_t id, bool negate, enum style style, bool nested)
{
	if (w->left == 0) {
		str_add(w->out, "...");
		return;
	}
	w->left--;
	id = node(w, id)->bits == 1 ? peel(w, id, &negate) : id;
	if (is_comparison(node(w, id)->op)) {
		put_comparison(w, node(w, id), negate, nested);
		return;
	}
	if (negate)
		str_add_char(w->out, '!');
	put_node(w, id, style, nested || negate);
}

static void put(struct writer *w, uint32_t id, enum style style, bool nested)
{
	put_maybe_negated(w, id, false, style, nested);
}

void print_condition(const struct print *p, uint32_t id, bool truth, struct str *out)
{
	struct writer w = { p, out, p->limit ? p->limit : PRINT_LIMIT };
	if (id)
		put_maybe_negated(&w, id, !truth, STYLE_PLAIN, false);
	else
		str_add(out, "(concrete)");
}

void print_term(const struct print *p, uint32_t id, struct str *out)
{
	print_condition(p, id, true, out);
}
