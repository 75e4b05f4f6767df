/* Asking Z3. A context per query, thrown away with all it holds: no reference counting, and no answer that depends on what was
 * asked before. */
#include "solve/smt.h"

#include "solve/translate.h"

static void ignore_error(Z3_context c, Z3_error_code code)
{
	(void)c;
	(void)code;
}

static Z3_context context_new(void)
{
	Z3_config config = Z3_mk_config();
	Z3_context c = Z3_mk_context(config);
	Z3_del_config(config);
	Z3_set_error_handler(c, ignore_error); /* the default one ends the process */
	return c;
}

static Z3_solver solver_new(Z3_context c, const struct smt_limits *limits)
{
	Z3_solver solver = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_BV"));
	Z3_solver_inc_ref(c, solver); /* at once: an object nobody holds dies with the next one made */
	Z3_params params = Z3_mk_params(c);
	Z3_params_inc_ref(c, params);
	if (limits->rlimit)
		Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), limits->rlimit);
	if (limits->timeout_ms)
		Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "timeout"), limits->timeout_ms);
	Z3_solver_set_params(c, solver, params);
	Z3_params_dec_ref(c, params);
	return solver;
}

static bool failed(Z3_context c, struct err *err)
{
	Z3_error_code code = Z3_get_error_code(c);
	return code != Z3_OK && !err_set(err, "internal: Z3: %s", Z3_get_error_msg(c, code));
}

/* What Z3 does not care about stays as the seed has it. */
static void read_model(const struct translation *z, Z3_solver solver, uint64_t *values)
{
	Z3_model model = Z3_solver_get_model(z->c, solver);
	Z3_model_inc_ref(z->c, model);
	for (uint32_t i = 0; i < z->p->variables_count; i++) {
		const struct variable *v = &z->p->variables[i];
		values[i] = v->seed;
		if (v->is_fixed)
			continue;
		Z3_ast is = Z3_model_get_const_interp(z->c, model, Z3_get_app_decl(z->c, Z3_to_app(z->c, z->variables[i])));
		if (is)
			Z3_get_numeral_uint64(z->c, is, &values[i]);
	}
	Z3_model_dec_ref(z->c, model);
}

static Z3_lbool check(const struct translation *z, const struct smt_limits *limits, bool near, uint64_t *model)
{
	Z3_solver solver = solver_new(z->c, limits);
	for (size_t i = 0; i < z->p->count; i++)
		Z3_solver_assert(z->c, solver, z->parts[i]);
	for (size_t i = 0; i < z->ties_count; i++)
		Z3_solver_assert(z->c, solver, z->ties[i]);
	for (size_t i = 0; near && i < z->near_count; i++)
		Z3_solver_assert(z->c, solver, z->near[i]);
	Z3_lbool result = Z3_solver_check(z->c, solver);
	if (result == Z3_L_TRUE)
		read_model(z, solver, model);
	Z3_solver_dec_ref(z->c, solver);
	return result;
}

/* Inputs that are longer than they need be take longer to run. */
bool smt_ask(const struct problem *p, const struct smt_limits *limits, struct arena *arena, enum verdict *verdict, uint64_t *model,
            struct err *err)
{
	struct translation z = { .c = context_new(), .p = p, .arena = arena };
	translate(&z);
	Z3_lbool result = check(&z, limits, true, model);
	if (z.near_count && result != Z3_L_TRUE)
		result = check(&z, limits, false, model);
	*verdict = result == Z3_L_TRUE ? VERDICT_SAT : result == Z3_L_FALSE ? VERDICT_UNSAT : VERDICT_UNKNOWN;
	bool ok = !failed(z.c, err);
	Z3_del_context(z.c);
	return ok;
}

const char *smt_text(const struct problem *p, const char *name, enum verdict status, struct arena *arena)
{
	static const char *const words[] = { [VERDICT_SAT] = "sat", [VERDICT_UNSAT] = "unsat", [VERDICT_UNKNOWN] = "unknown" };
	struct translation z = { .c = context_new(), .p = p, .arena = arena };
	translate(&z);
	Z3_ast *all = arena_alloc(arena, (p->count + z.ties_count + 1) * sizeof *all);
	size_t count = 0;
	for (size_t i = 0; i < z.ties_count; i++)
		all[count++] = z.ties[i];
	for (size_t i = 0; i < p->count; i++)
		all[count++] = z.parts[i];
	Z3_ast last = count ? all[--count] : Z3_mk_true(z.c);
	const char *text = arena_strdup(arena, Z3_benchmark_to_smtlib_string(z.c, name, "QF_BV", words[status], "", (unsigned)count, all, last));
	Z3_del_context(z.c);
	return text;
}
