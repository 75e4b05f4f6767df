/* What functions of programs/plan.c are given: objects, where pointers may lead, what integers are held to, and how all that is written for people and for the runtime. */
#include "unit_common.h"

#include "base/str.h"
#include "unit/recipe.h"

static struct arena *arena;

static int open_plan(void **state)
{
	(void)state;
	arena = arena_new();
	return program_open("plan");
}

static int close_plan(void **state)
{
	arena_free(arena);
	return program_close(state);
}

static struct plan plan_with(const char *name, struct plan_options options, const char *const *members)
{
	struct recipe r = { .program = &program, .function = function(name), .options = options };
	bool *really = arena_alloc(arena, program.count + 1u);
	struct plan plan;
	struct err err = {0};
	really[r.function] = true;
	for (; members && *members; members++)
		really[function(*members)] = true;
	r.members = really;
	if (!recipe_plan(&r, arena, &plan, &err))
		fail_msg("%s", err.text);
	return plan;
}

static struct plan_options free_options(void)
{
	struct plan_options o = PLAN_DEFAULT;
	o.no_ranges = o.no_sizes = true;
	return o;
}

static struct plan plan_of(const char *name)
{
	return plan_with(name, free_options(), NULL);
}

/* --- objects and targets --- */

static const char *target_name(const struct plan *p, const struct td_unit_target *t)
{
	switch ((enum td_unit_target_kind)t->kind) {
	case TD_UNIT_OBJECT: return t->offset ? arena_printf(arena, "%s+%u", p->objects[t->index].name, (unsigned)t->offset) : p->objects[t->index].name;
	case TD_UNIT_FUNCTION: return program.functions[t->index].name;
	case TD_UNIT_STREAM: return "a stream";
	case TD_UNIT_OPAQUE: return "somewhere";
	}
	return "?";
}

static void put_object(const struct plan *p, const struct plan_object *o, struct str *out)
{
	str_printf(out, "%s:%u", o->name, (unsigned)o->is.size);
	if (o->is.inputs != o->is.size)
		str_printf(out, "/%u", o->is.inputs);
	for (uint32_t i = o->is.first_slot; i < o->is.first_slot + o->is.slots; i++) {
		str_printf(out, " %u>", p->slots[i].offset);
		for (uint32_t k = p->slots[i].first_target; k < p->slots[i].first_target + p->slots[i].targets; k++)
			str_printf(out, "%s%s", k == p->slots[i].first_target ? "" : "|", target_name(p, &p->targets[k]));
	}
}

/* "name:size/inputs offset>target|target", of each of so many objects. */
static void expect_objects(const struct plan *p, size_t from, size_t to, const char *wanted)
{
	struct str text = {0};
	for (size_t i = from; i < to && i < p->objects_count; i++) {
		str_add(&text, i > from ? "; " : "");
		put_object(p, &p->objects[i], &text);
	}
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
}

static void expect(const char *name, const char *wanted)
{
	struct plan p = plan_of(name);
	expect_objects(&p, 0, p.given, wanted);
}

static void simple_types(void **state)
{
	(void)state;
	expect("integers", "integers:136");
	expect("enums", "enums:20");
	expect("floats", "floats:64");
	expect("by_value", "by_value:72; calls:4"); /* a static variable of its own */
	expect("variadic", "variadic:4");
	expect("unions", "unions:24 0>e.p 16>*p; e.p:16/15; *p:8 0>p->p|e.p; p->p:16/15");
}

static void pointers(void **state)
{
	(void)state;
	expect("arrays", "arrays:40 0>*p 16>*rows 32>*b; *p:64; *rows:16; *b:48");
	expect("strings", "strings:40 0>p 16>q|p 32>*all; p:16/15; q:16/15; *all:32 0>all[0]|p 8>all[1]|p 16>all[2]|p 24>somewhere; all[0]:16/15; all[1]:16/15; all[2]:16/15");
	expect("bitty", "bitty:40 0>*b 16>*f 32>somewhere; *b:8; *f:68"); /* 16 elements behind the last member */
	expect("crooked", "crooked:8 0>*o; *o:11 1>*o->p; *o->p:64"); /* a pointer that is not aligned */
	expect("unused", "unused:40 16>p; p:16/15");
}

/* Who is the end of another leads into what that leads to, and that nowhere else. */
static void ends(void **state)
{
	(void)state;
	expect("within", "within:24 0>ptr 16>ptr+16|ptr|ptr+1|ptr+2|ptr+3|ptr+4|ptr+8; ptr:16/15");
	expect("copied", "copied:56 0>*fromP 16>*fromP[0]+32|*fromP[0]|*fromP[0]+2|*fromP[0]+4|*fromP[0]+6|*fromP[0]+8|*fromP[0]+16 32>*to 48>to[0]+16|to[0]|to[0]+1|to[0]+2|to[0]+3|to[0]+4|to[0]+8; *fromP:32 0>*fromP[0] 8>*fromP[1]|*fromP[0] 16>*fromP[2]|*fromP[0] 24>somewhere; "
	                 "*to:32 0>to[0] 8>to[1]|to[0] 16>to[2]|to[0] 24>somewhere; *fromP[0]:32; *fromP[1]:32; *fromP[2]:32; to[0]:16/15; to[1]:16/15; to[2]:16/15");
	expect("held", "held:8 0>*b; *b:32 0>b->text+16|b->text|b->text+1|b->text+2|b->text+3|b->text+4|b->text+8 8>b->text 16>*b->from 24>*b->append|*b->from; b->text:16/15; *b->from:64; *b->append:64");
	expect("split", "split:24 0>text 16>delim|text; text:16/15; delim:16/15");
	expect("run_together", "run_together:8 0>*l; *l:24 0>l->at 8>l->text+16|l->text|l->text+1|l->text+2|l->text+3|l->text+4|l->text+8 16>l->text; l->at:16/15; l->text:16/15");
	expect("lined", "lined:0; line:8 0>line; line_end:8 0>line+16|line|line+1|line+2|line+3|line+4|line+8; line:16/15");
	expect("endless", "endless:40 0>end 16>*limit 32>somewhere; end:16/15; *limit:128");
	struct plan_options free = free_options();
	free.no_ends = true;
	struct plan p = plan_with("within", free, NULL);
	expect_objects(&p, 0, p.given, "within:24 0>ptr 16>end|ptr; ptr:16/15; end:16/15");
}

/* If somebody takes the beginning of a struct for all of it, it is all of it wherever it is passed. */
static void shapes(void **state)
{
	(void)state;
	expect("taken_for_more", "taken_for_more:8 0>*b; *b:40");
	expect("taken_as_it_is", "taken_as_it_is:8 0>*b; *b:40");
	expect("nothing_more", "nothing_more:8 0>*b; *b:4"); /* nobody looks behind it */
	expect("knows", "knows:8 0>*data; *data:8");
	expect("knows_not", "knows_not:8 0>somewhere");
}

/* A list has so many of its own, then leads back to the first. */
static void recursive_types(void **state)
{
	(void)state;
	struct plan p = plan_of("sum");
	expect_objects(&p, 0, 4, "sum:20 0>*n; *n:24 8>*n->next|*n 16>n->name; *n->next:24 8>*n->next->next|*n 16>n->next->name|n->name; n->name:16/15");
	for (size_t i = 0; i < p.slots_count; i++)
		assert_in_range(p.slots[i].targets, 1, 2);
	struct plan_options o = free_options();
	o.depth = 1;
	p = plan_with("sum", o, NULL);
	expect_objects(&p, 0, 9, "sum:20 0>*n; *n:24 8>*n 16>");
	o.no_alias = true;
	p = plan_with("sum", o, NULL);
	expect_objects(&p, 0, 9, "sum:20 0>*n; *n:24 8> 16>");
	o.depth = 0;
	p = plan_with("sum", o, NULL);
	expect_objects(&p, 0, 9, "sum:20 0>");
}

static void limits(void **state)
{
	(void)state;
	struct plan_options o = free_options();
	o.elements = 4;
	struct plan p = plan_with("strings", o, NULL);
	expect_objects(&p, 0, 4, "strings:40 0>p 16>q|p 32>*all; p:4/3; q:4/3; *all:32 0>all[0]|p 8>all[1]|p 16>all[2]|p 24>somewhere");
	o.objects_max = 2;
	p = plan_with("strings", o, NULL);
	assert_int_equal(p.given, 2);
	expect_objects(&p, 0, 2, "strings:40 0>p 16>p 32>; p:4/3");
	o.objects_max = 12; /* half of them for arguments: the first has not all that are left when it and the second have theirs */
	p = plan_with("crowded", o, NULL);
	expect_objects(&p, 1, 7, "*c:48 0>c->a 8>c->b|c->a 16>c->a 24>c->a 32>c->a 40>c->a; *p:16 0>p->a|c->a 8>p->b|c->a; c->a:4/3; c->b:4/3; p->a:4/3; p->b:4/3");
	o = free_options();
	o.inputs_max = 20; /* half a pointer is none */
	p = plan_with("large", o, NULL);
	expect_objects(&p, 0, 2, "large:8 0>*t; *t:296/16 8>*t->nodes[0].next");
	assert_string_equal(p.objects[2].name, "*t->nodes[0].next");
}

static void far_elements_lead_nowhere(void **state)
{
	(void)state;
	struct plan p = plan_of("large");
	const struct td_unit_object *t = &p.objects[1].is;
	assert_int_equal(t->slots, 25);
	for (uint32_t i = 0; i < t->slots; i++)
		assert_int_equal(p.slots[t->first_slot + i].targets > 0, i < 16 || i == 24); /* the first eight nodes' two each, and one that may be anywhere */
}

static void variables(void **state)
{
	(void)state;
	struct plan p = plan_of("nothing");
	expect_objects(&p, 0, p.given, "nothing:0; chosen:8 0>multiply|add; table:48; text:40");
	assert_int_equal(p.objects[0].is.variable, 0);
	for (size_t i = 1; i < 4; i++) {
		assert_true(p.objects[i].is.variable);
		assert_ptr_equal(p.objects[i].variable, types_variable(program.types, p.objects[i].is.variable));
	}
	p = plan_of("find"); /* `fixed` is const, and stays as it is */
	expect_objects(&p, 0, 2, "find:4; first_node:8 0>*first_node|nodes");
	for (size_t i = 0; i < p.objects_count; i++)
		assert_string_not_equal(p.objects[i].name, "fixed");
	expect("limited", "limited:4"); /* what is const keeps its values */
	p = plan_of("main");
	assert_int_equal(p.given, 0);
	static const char *const members[] = { "add", NULL };
	p = plan_with("multiply", free_options(), members); /* and what is really called with it */
	expect_objects(&p, 0, 9, "multiply:20; count:4");
}

static void functions(void **state)
{
	(void)state;
	expect("calls", "calls:40 0>multiply|add 16>multiply|add 32>other");
	struct plan p = plan_of("calls");
	assert_int_equal(p.functions_count, 3);
}

static void stubs(void **state)
{
	(void)state;
	struct plan p = plan_of("main");
	struct str text = {0};
	for (size_t i = 0; i < p.stubs_count; i++) {
		const struct td_unit_stub *s = &p.stubs[i];
		str_printf(&text, "%s%s", i ? "; " : "", program.functions[s->function].name);
		for (uint32_t k = s->first_object; k < s->first_object + s->objects; k++) {
			str_add(&text, k == s->first_object ? " = " : ", ");
			put_object(&p, &p.objects[k], &text);
		}
		assert_int_equal(s->flags, 0);
	}
	assert_non_null(strstr(str_text(&text), "result = result():48"));
	assert_non_null(strstr(str_text(&text), "find = find():8 0>*find(), *find():24 8>*find()->next|*find()"));
	assert_non_null(strstr(str_text(&text), "by_value = by_value():4; "));
	assert_non_null(strstr(str_text(&text), "silent"));
	assert_null(strstr(str_text(&text), "silent = "));
	str_free(&text);
}

/* --- integers --- */

/* "leaf lo..hi", of all objects. */
static void expect_ranges(const struct plan *p, const char *wanted)
{
	struct str text = {0};
	for (size_t i = 0; i < p->objects_count; i++)
		for (uint32_t k = p->objects[i].is.first_range; k < p->objects[i].is.first_range + p->objects[i].is.ranges; k++) {
			const struct td_unit_range *r = &p->ranges[k];
			str_printf(&text, "%s%s+%u:%u %s%lld..%lld", text.length ? "; " : "", p->objects[i].name, r->offset, r->bytes, r->flags & TD_UNIT_SIZE ? "size " : r->flags & TD_UNIT_NOT ? "not " : "",
			           (long long)r->lo, (long long)r->hi);
		}
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
}

static void ranges(void **state)
{
	(void)state;
	struct plan_options o = free_options();
	o.no_ranges = false;
	struct plan p = plan_with("unused", o, NULL); /* called with 1 */
	expect_ranges(&p, "unused+0:4 1..1");
	p = plan_with("integers", o, NULL); /* nobody calls it, but a truth is 0 or 1 */
	expect_ranges(&p, "integers+112:1 0..1");
	p = plan_with("silent", o, NULL); /* called with an address: all of it is not 0, but the lowest byte may be */
	expect_ranges(&p, "silent+0:8 not 0..0");
	p = plan_with("unused", free_options(), NULL);
	expect_ranges(&p, "");
	p = plan_with("integers", free_options(), NULL);
	expect_ranges(&p, "");
}

/* Numbers that say how many elements there are. Behind pointers there is a null more, which is none of them. */
static void counts(void **state)
{
	(void)state;
	struct plan_options o = free_options();
	o.no_sizes = false;
	struct plan p = plan_with("words", o, NULL);
	expect_ranges(&p, "words+16:4 size 0..3; *words+24:8 size 0..0");
	p = plan_with("total", o, NULL);
	expect_ranges(&p, "total+16:4 size 0..16");
}

/* The first try keeps to them. */
static void first_bytes(void **state)
{
	(void)state;
	struct plan_options o = free_options();
	size_t size;
	o.no_ranges = false;
	struct plan p = plan_with("unused", o, NULL);
	uint8_t *bytes = plan_first(&p, 0, arena, &size);
	assert_int_equal(size, 40);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(bytes[i], i == 0 || i == 16); /* the integer is 1, the pointer leads to its first target */
	p = plan_of("bitty");
	bytes = plan_first(&p, 0, arena, &size);
	assert_int_equal(bytes[0] + bytes[16] + bytes[32], 3);
	struct plan_options short_of = free_options();
	short_of.depth = 0;
	p = plan_with("bitty", short_of, NULL);
	bytes = plan_first(&p, 0, arena, &size);
	assert_int_equal(bytes[0] + bytes[16] + bytes[32], 1); /* to the others there is nothing */
	p = plan_with("strings", o, NULL);
	bytes = plan_first(&p, 3, arena, &size);
	assert_int_equal(size, 32);
	assert_int_equal(bytes[16], 1);
	assert_int_equal(bytes[24], 0); /* the list ends there */
}

/* --- for people --- */

struct given {
	uint8_t bytes[8][512];
	struct plan_value values[8];
	size_t count;
};

static struct given all_zero(const struct plan *p)
{
	static struct given g;
	memset(&g, 0, sizeof g);
	g.count = p->given < 8 ? p->given : 8;
	for (size_t i = 0; i < g.count; i++)
		g.values[i] = (struct plan_value){ .bytes = g.bytes[i], .size = p->objects[i].is.inputs < 512 ? p->objects[i].is.inputs : 512 };
	return g;
}

static void expect_print(const struct plan *p, const char *name, struct given *g, const char *wanted)
{
	struct str text = {0};
	for (size_t i = 0; i < g->count; i++)
		g->values[i].bytes = g->bytes[i];
	plan_print(p, name, g->values, g->count, &text);
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
}

#define PUT(g, object, offset, type, value) memcpy((g).bytes[object] + (offset), &(type){ value }, sizeof(type))

static void print_numbers(void **state)
{
	(void)state;
	struct plan p = plan_of("integers");
	struct given g = all_zero(&p);
	expect_print(&p, "integers", &g, "integers(a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0)");
	PUT(g, 0, 0, char, 'x');
	PUT(g, 0, 16, signed char, -3);
	PUT(g, 0, 32, unsigned char, 200);
	PUT(g, 0, 48, short, -30000);
	PUT(g, 0, 64, unsigned, 4000000000u);
	PUT(g, 0, 80, long, INT64_MIN);
	PUT(g, 0, 96, uint64_t, UINT64_MAX);
	PUT(g, 0, 112, uint8_t, 1);
	expect_print(&p, "integers", &g, "integers(a = 'x', b = -3, c = 200, d = -30000, e = 4000000000, f = -9223372036854775808, g = 18446744073709551615, h = 1, i = 0)");
	p = plan_of("enums");
	g = all_zero(&p);
	PUT(g, 0, 0, int, -5);
	PUT(g, 0, 16, int, 9);
	expect_print(&p, "enums", &g, "enums(a = GREEN, b = 9)");
	p = plan_of("floats");
	g = all_zero(&p);
	PUT(g, 0, 0, float, 1.5f);
	PUT(g, 0, 16, double, -2);
	PUT(g, 0, 56, double, 3);
	expect_print(&p, "floats", &g, "floats(a = 1.5, b = -2, c = 0, d = 0 + 3i)");
}

static void print_structs(void **state)
{
	(void)state;
	struct plan p = plan_of("by_value");
	struct given g = all_zero(&p);
	expect_print(&p, "f", &g, "f(s = {0}, b = {0}, d = 0), calls = 0");
	PUT(g, 0, 4, int, -1);
	PUT(g, 0, 16 + 8, double, 0.5);
	memcpy(g.bytes[0] + 16 + 32, "a\"\n\1", 4);
	PUT(g, 1, 0, int, 3);
	expect_print(&p, "f", &g, "f(s.y = -1, b.d = {0, 0.5}, b.text = \"a\\\"\\n\\001\", d = 0), calls = 3");
	p = plan_of("unions");
	g = all_zero(&p);
	PUT(g, 0, 1, int, 258); /* no pointer, and behind that the number */
	expect_print(&p, "f", &g, "f(e = {2, 1}, p = NULL)");
	PUT(g, 0, 0, char, 1);
	expect_print(&p, "f", &g, "f(e.p = \"\", p = NULL)");
	p = plan_of("nameless");
	g = all_zero(&p);
	g.bytes[0][0] = 1;
	PUT(g, 1, 4, short, 5);
	PUT(g, 1, 8, int, 1);
	expect_print(&p, "f", &g, "f(p->q = 5, p->u = {1})");
	p = plan_of("bitty");
	g = all_zero(&p);
	g.bytes[0][0] = 1;
	g.bytes[1][0] = 5 | 25 << 3; /* a = 5, b = -7 */
	g.bytes[1][5] = 2 << 1 | 1;  /* the 33rd bit of c, and d = 2 */
	expect_print(&p, "f", &g, "f(f = NULL, o = NULL, b->a = 5, b->b = -7, b->c = 4294967296, b->d = 2)");
}

static void print_pointers(void **state)
{
	(void)state;
	struct plan p = plan_of("sum");
	struct given g = all_zero(&p);
	expect_print(&p, "sum", &g, "sum(n = NULL, unused = 0)");
	g.bytes[0][0] = 1;
	expect_print(&p, "sum", &g, "sum(unused = 0, n = {0})");
	PUT(g, 1, 0, int, 4);
	g.bytes[1][8] = 2; /* back to itself */
	g.bytes[1][16] = 1;
	memcpy(g.bytes[3], "ab", 2);
	expect_print(&p, "sum", &g, "sum(unused = 0, n->value = 4, n->next = n, n->name = \"ab\")");
	g.bytes[1][8] = 99; /* there is no such target */
	expect_print(&p, "sum", &g, "sum(unused = 0, n->value = 4, n->next = NULL, n->name = \"ab\")");
	p = plan_of("strings");
	g = all_zero(&p);
	g.bytes[0][0] = 1;
	g.bytes[0][16] = 2;
	memcpy(g.bytes[1], "one", 3);
	expect_print(&p, "f", &g, "f(p = \"one\", q = p, all = NULL)");
	p = plan_of("arrays");
	g = all_zero(&p);
	g.bytes[0][0] = g.bytes[0][16] = 1;
	PUT(g, 1, 4, int, 2);
	expect_print(&p, "f", &g, "f(p = {0, 2}, b = NULL, *rows = {0})");
}

static void print_variables(void **state)
{
	(void)state;
	struct plan p = plan_of("nothing");
	struct given g = all_zero(&p);
	g.values[1].size = g.values[2].size = g.values[3].size = 0; /* they have what they have */
	expect_print(&p, "f", &g, "f()");
	g.values[1].size = 8;
	g.bytes[1][0] = TD_UNIT_KEPT;
	expect_print(&p, "f", &g, "f()");
	g.bytes[1][0] = 2;
	g.values[3].size = 40;
	memcpy(g.bytes[3], "hm", 2);
	expect_print(&p, "f", &g, "f(), chosen = add, text = \"hm\"");
	g.bytes[1][0] = 0;
	g.values[2].size = 48;
	PUT(g, 2, 20, int, 7);
	expect_print(&p, "f", &g, "f(), chosen = NULL, table[1] = {0, 7}, text = \"hm\"");
}

/* --- for the runtime --- */

static void packed(void **state)
{
	(void)state;
	struct plan p = plan_of("strings"), q = plan_of("nothing"), r = plan_of("main");
	const struct plan *const watched[] = { &q, &r };
	struct str out = {0};
	plan_pack(&p, watched, 2, &out);
	const struct td_unit *u = (const void *)out.text;
	assert_int_equal(u->function, function("strings"));
	assert_int_equal(u->objects, p.objects_count);
	assert_int_equal(u->given, p.given);
	assert_int_equal(u->slots % 2, 0); /* so that what comes behind is aligned */
	assert_int_equal(u->facts, program.facts.modules[0].address);
	assert_int_equal(u->size % 8, 0);
	assert_int_equal(u->watched, u->size);
	const struct td_unit_object *objects = (const void *)(u + 1);
	const struct td_unit_slot *slots = (const void *)(objects + u->objects);
	const struct td_unit_target *targets = (const void *)(slots + u->slots);
	const struct td_unit_stub *rows = (const void *)(targets + u->targets);
	const char *strings = (const char *)((const struct td_unit_range *)(const void *)(rows + u->stubs) + u->ranges);
	for (uint32_t i = 0; i < u->objects; i++) {
		assert_string_equal(strings + objects[i].name, p.objects[i].name);
		assert_int_equal(objects[i].size, p.objects[i].is.size);
		assert_true(objects[i].first_slot + objects[i].slots <= u->slots);
	}
	assert_memory_equal(slots, p.slots, p.slots_count * sizeof *slots);
	assert_memory_equal(targets, p.targets, p.targets_count * sizeof *targets);
	const struct td_unit *second = (const void *)(out.text + u->watched), *third = (const void *)((const char *)second + second->watched);
	assert_int_equal(second->function, function("nothing"));
	assert_int_equal(q.slots_count, 1);
	assert_int_equal(second->slots, 2);
	assert_int_equal(third->function, function("main"));
	assert_int_equal(third->given, 0);
	assert_int_equal(third->watched, 0);
	assert_int_equal((const char *)third + third->size - out.text, out.length);
	str_free(&out);
}

static void what_cannot_be(void **state)
{
	(void)state;
	struct plan plan;
	struct err err = {0};
	struct plan_wish w = { .function = { .name = "ghost" }, .options = PLAN_DEFAULT };
	assert_false(plan_make(&w, arena, &plan, &err));
	assert_string_equal(err.text, "the debug information does not tell of ghost");
	static const struct type nobody = { .kind = TYPE_UNKNOWN, .name = "" }, number = { .kind = TYPE_SIGNED, .size = 4, .name = "int" }, row = { .kind = TYPE_ARRAY, .of = &number, .count = 1 << 19, .size = 4 << 19, .name = "" };
	static const struct type_member member = { .name = "a", .type = &row }, odd = { .name = "b", .type = &nobody };
	struct type one = { .kind = TYPE_FUNCTION, .members = &odd, .members_count = 1, .name = "" };
	w.function.type = &one;
	err = (struct err){0};
	assert_false(plan_make(&w, arena, &plan, &err));
	assert_string_equal(err.text, "the type of parameter 1 of ghost is not known");
	one.members = &member;
	w.options.inputs_max = UINT32_MAX;
	err = (struct err){0};
	assert_false(plan_make(&w, arena, &plan, &err));
	assert_non_null(strstr(err.text, "more than 1 MiB"));
	w.options = PLAN_DEFAULT;
	assert_true(plan_make(&w, arena, &plan, &err));
	assert_int_equal(plan.objects[0].is.inputs, w.options.inputs_max);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simple_types), cmocka_unit_test(pointers), cmocka_unit_test(ends), cmocka_unit_test(shapes), cmocka_unit_test(recursive_types), cmocka_unit_test(limits), cmocka_unit_test(far_elements_lead_nowhere), cmocka_unit_test(variables),
		cmocka_unit_test(functions), cmocka_unit_test(stubs), cmocka_unit_test(ranges), cmocka_unit_test(counts), cmocka_unit_test(first_bytes), cmocka_unit_test(print_numbers), cmocka_unit_test(print_structs),
		cmocka_unit_test(print_pointers), cmocka_unit_test(print_variables), cmocka_unit_test(packed), cmocka_unit_test(what_cannot_be),
	};
	return cmocka_run_group_tests(tests, open_plan, close_plan);
}
