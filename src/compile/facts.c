/* See facts.h. */
#include "compile/facts.h"

#include "compile/cfg.h"
#include "compile/effect.h"
#include "compile/intrinsic.h"
#include "compile/path.h"
#include "compile/shadow.h"
#include "compile/signature.h"
#include "compile/weave.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t hash(uint64_t h, const void *data, size_t size)
{
	const unsigned char *p = data;
	while (size--)
		h = (h ^ *p++) * TD_BUILD_FACTOR;
	return h;
}

/* Where the text is, or would go, in the table of known strings (offset + 1 each). */
static uint32_t *string_slot(const struct facts *facts, const char *text)
{
	size_t i = (size_t)hash(TD_BUILD_START, text, strlen(text)) & (facts->known_size - 1);
	while (facts->known[i] && strcmp(facts->strings.at + facts->known[i] - 1, text) != 0)
		i = (i + 1) & (facts->known_size - 1);
	return &facts->known[i];
}

static void grow_known(struct facts *facts)
{
	facts->known_size = facts->known_size ? facts->known_size * 2 : 256;
	free(facts->known);
	facts->known = memory_array(facts->known_size, sizeof *facts->known);
	for (size_t i = 0; i < facts->strings.count; i += strlen(facts->strings.at + i) + 1)
		*string_slot(facts, facts->strings.at + i) = (uint32_t)i + 1;
}

uint32_t facts_string(struct facts *facts, const char *text)
{
	if (!facts->strings.count)
		list_push(&facts->strings, '\0'); /* offset 0 is the empty string */
	if (facts->known_count * 2 >= facts->known_size)
		grow_known(facts);
	uint32_t *slot = string_slot(facts, text);
	if (!*slot) {
		*slot = (uint32_t)facts->strings.count + 1;
		facts->known_count++;
		for (size_t i = 0; i <= strlen(text); i++)
			list_push(&facts->strings, text[i]);
	}
	return *slot - 1;
}

static uint64_t hash_text(uint64_t h, const char *text)
{
	return hash(h, text, strlen(text) + 1);
}

/* ---- features of a condition ---- */

static unsigned bit(enum td_feature feature)
{
	return 1u << feature;
}

static bool is_character(Value v)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	uint64_t n = LLVMConstIntGetZExtValue(v);
	return (n >= 32 && n < 127) || (n >= 9 && n <= 13);
}

static bool from_byte(Value v)
{
	if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
		v = LLVMGetOperand(v, 0);
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 8;
}

/* Walks the expression a condition is computed from, through loads of locals but not across stores. */
static unsigned features_of(Value v, unsigned depth)
{
	unsigned set = 0;
	if (LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v))
		return bit(TD_FEATURE_LITERAL);
	if (!LLVMIsAInstruction(v) || depth > 8)
		return 0;
	if (LLVMIsAAllocaInst(v))
		return bit(TD_FEATURE_LOCAL);
	if (LLVMIsACallInst(v)) {
		Value callee = LLVMGetCalledValue(v);
		bool external = LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) && intrinsic_of(v)->kind == INTRINSIC_NOT;
		set |= external ? bit(TD_FEATURE_EXTERNAL) : 0;
	}
	if (LLVMIsAICmpInst(v)) {
		Value a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
		bool pointer = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind;
		set |= pointer ? bit(TD_FEATURE_POINTER) : bit(TD_FEATURE_INTEGER);
		if ((is_character(b) && from_byte(a)) || (is_character(a) && from_byte(b)))
			set |= bit(TD_FEATURE_LITERAL);
	}
	if (LLVMIsAFCmpInst(v))
		set |= bit(TD_FEATURE_FLOAT);
	if (LLVMIsAGetElementPtrInst(v))
		set |= bit(TD_FEATURE_POINTER);
	for (int k = 0; k < LLVMGetNumOperands(v); k++)
		if (!LLVMValueIsBasicBlock(LLVMGetOperand(v, (unsigned)k)))
			set |= features_of(LLVMGetOperand(v, (unsigned)k), depth + 1);
	return set;
}

static bool is_nested(const struct cfg *cfg, int block)
{
	for (int b = block; b != 0; b = cfg->blocks[b].dominator) {
		int d = cfg->blocks[b].dominator;
		if (cfg->blocks[d].successor_count > 1 && cfg->blocks[b].predecessor_count == 1)
			return true;
	}
	return false;
}

static unsigned place_features(const struct cfg *cfg, int block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	unsigned set = b->order >= 0 && is_nested(cfg, block) ? bit(TD_FEATURE_NESTED) : 0;
	if (b->loop < 0)
		return set;
	set |= bit(TD_FEATURE_IN_LOOP);
	bool leaves = false;
	for (unsigned k = 0; k < b->successor_count; k++)
		leaves |= !cfg_in_loop(cfg, b->successors[k], b->loop);
	if (leaves)
		set |= bit(TD_FEATURE_LOOP_CONDITION);
	if (leaves && b->successor_count == 2 && cfg_in_loop(cfg, b->successors[0], b->loop))
		set |= bit(TD_FEATURE_LOOP_TRUE);
	return set;
}

/* ---- sites ---- */

struct place { uint32_t function, block, ordinal, first_use; uint64_t key; const struct cfg *cfg; bool main; };

/* A file as debug information has it. Where a build asked for other names (-ffile-prefix-map) the directory is not absolute, and
 * the name stays as it was asked for. */
static uint32_t file_name(struct facts *facts, const char *directory, unsigned directory_length, const char *name, unsigned length)
{
	if (!name || !length)
		return facts->source;
	char *in = memory_printf("%.*s", (int)directory_length, directory ? directory : ""), *as = memory_printf("%.*s", (int)length, name);
	char *path = path_join(in, as), *seen = path_from(facts->root, path);
	uint32_t at = facts_string(facts, seen);
	free(in);
	free(as);
	free(path);
	free(seen);
	return at;
}

static uint32_t file_of(struct facts *facts, Value i)
{
	unsigned length = 0, directory_length = 0;
	const char *name = LLVMGetDebugLocFilename(i, &length), *directory = LLVMGetDebugLocDirectory(i, &directory_length);
	return file_name(facts, directory, directory_length, name, length);
}

static uint32_t file_of_function(struct facts *facts, LLVMMetadataRef program)
{
	LLVMMetadataRef file = program ? LLVMDIScopeGetFile(program) : NULL;
	unsigned length = 0, directory_length = 0;
	if (!file)
		return facts->source;
	const char *name = LLVMDIFileGetFilename(file, &length), *directory = LLVMDIFileGetDirectory(file, &directory_length);
	return file_name(facts, directory, directory_length, name, length);
}

static void add_site(struct facts *facts, struct unit *u, struct place *at, Value i, Value condition, enum td_site_kind kind)
{
	struct td_site s = {.first_edge = facts->edges, .edges = 2, .function = at->function, .block = at->block, .kind = (uint8_t)kind, .behind = UINT32_MAX};
	s.first_case = (uint32_t)facts->cases.count;
	if (kind == TD_SITE_SWITCH) {
		s.edges = LLVMGetNumSuccessors(i);
		for (int k = 2; k < LLVMGetNumOperands(i); k += 2) {
			Value label = LLVMGetOperand(i, (unsigned)k);
			bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(label)) <= 64;
			list_push(&facts->cases, narrow ? LLVMConstIntGetZExtValue(label) : 0);
		}
	}
	s.key = hash(hash(at->key, &at->ordinal, sizeof at->ordinal), &s.kind, 1);
	s.file = file_of(facts, i);
	s.line = LLVMGetDebugLocLine(i);
	s.column = (uint16_t)LLVMGetDebugLocColumn(i);
	s.features = features_of(condition, 0) | place_features(at->cfg, (int)at->block);
	s.features |= (at->main ? bit(TD_FEATURE_MAIN) : 0) | (kind == TD_SITE_SWITCH ? bit(TD_FEATURE_CASE) : 0);
	unsigned depth = at->cfg->blocks[at->block].depth;
	s.depth = (uint8_t)(depth > 255 ? 255 : depth);
	at->ordinal++;
	facts->edges += s.edges;
	list_push(&facts->sites, s);
	LLVMMetadataRef number = LLVMValueAsMetadata(unit_const32(u, s.first_edge));
	LLVMSetMetadata(i, u->md_site, LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, &number, 1)));
}

static bool is_known(Value callee)
{
	const char *name = unit_name(callee);
	bool ours = strncmp(name, "__td_", 5) == 0 || strncmp(name, "tandem_", 7) == 0;
	return !LLVMIsDeclaration(callee) || ours || effect_has_model(name) || effect_of(name);
}

static void add_call(struct facts *facts, uint32_t block, Value call)
{
	if (intrinsic_of(call)->kind != INTRINSIC_NOT || LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return;
	Value callee = LLVMGetCalledValue(call);
	char *type = LLVMPrintTypeToString(LLVMGetCalledFunctionType(call));
	struct td_call c = {.block = block, .type = facts_string(facts, type), .line = LLVMGetDebugLocLine(call)};
	c.callee = LLVMIsAFunction(callee) ? facts_string(facts, unit_name(callee)) : 0;
	c.flags = !c.callee || is_known(callee) ? TD_CALL_KNOWN : 0;
	LLVMDisposeMessage(type);
	list_push(&facts->calls, c);
}

/* ---- variables ---- */

static void add_use(struct facts *facts, uint32_t first, Value variable, uint32_t flags)
{
	bool is_local = LLVMGetLinkage(variable) == LLVMInternalLinkage || LLVMGetLinkage(variable) == LLVMPrivateLinkage;
	uint32_t name = facts_string(facts, unit_name(variable));
	flags |= is_local ? TD_USE_STATIC : 0;
	for (size_t i = first; i < facts->uses.count; i++)
		if (facts->uses.at[i].name == name) {
			facts->uses.at[i].flags |= flags;
			return;
		}
	list_push(&facts->uses, ((struct td_use){name, flags}));
}

/* Through what takes a part of it. */
static void find_uses(struct facts *facts, uint32_t first, Value operand, uint32_t flags, unsigned depth)
{
	if (LLVMIsAGlobalVariable(operand)) {
		if (!LLVMIsGlobalConstant(operand))
			add_use(facts, first, operand, flags);
	} else if (LLVMIsAConstantExpr(operand) && depth < 8) {
		for (int k = 0; k < LLVMGetNumOperands(operand); k++)
			find_uses(facts, first, LLVMGetOperand(operand, (unsigned)k), flags, depth + 1);
	}
}

static uint32_t use_by(Value i, int operand, unsigned depth);

/* What is done with an address that is computed from another one. */
static uint32_t uses_of(Value address, unsigned depth)
{
	uint32_t flags = 0;
	for (LLVMUseRef use = LLVMGetFirstUse(address); use && !(flags & TD_USE_ADDRESS); use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		for (int k = 0; k < LLVMGetNumOperands(user); k++)
			if (LLVMGetOperand(user, (unsigned)k) == address)
				flags |= use_by(user, k, depth + 1);
	}
	return flags;
}

/* enum td_use_flag: what an instruction does with the address that is this operand of it. */
static uint32_t use_by(Value i, int operand, unsigned depth)
{
	if (LLVMIsALoadInst(i) || LLVMIsAICmpInst(i))
		return TD_USE_READS;
	if (LLVMIsAStoreInst(i) && operand == 1)
		return TD_USE_WRITES;
	return LLVMIsAGetElementPtrInst(i) && operand == 0 && depth < 8 ? uses_of(i, depth) : TD_USE_ADDRESS;
}

static void add_uses(struct facts *facts, uint32_t first, Value i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		Value operand = LLVMGetOperand(i, (unsigned)k);
		if (operand && LLVMIsAConstant(operand))
			find_uses(facts, first, operand, use_by(i, k, 0), 0);
	}
}

static void add_block(struct facts *facts, struct unit *u, struct place *at)
{
	for (Value i = LLVMGetFirstInstruction(at->cfg->blocks[at->block].block); i; i = LLVMGetNextInstruction(i)) {
		add_uses(facts, at->first_use, i);
		if (LLVMIsABranchInst(i) && LLVMIsConditional(i))
			add_site(facts, u, at, i, LLVMGetCondition(i), TD_SITE_BRANCH);
		else if (LLVMIsASwitchInst(i))
			add_site(facts, u, at, i, LLVMGetOperand(i, 0), TD_SITE_SWITCH);
		else if (LLVMIsASelectInst(i))
			add_site(facts, u, at, i, LLVMGetOperand(i, 0), TD_SITE_SELECT);
		else if (LLVMIsACallInst(i))
			add_call(facts, at->block, i);
	}
}

static void add_flow(struct facts *facts, const struct cfg *cfg)
{
	for (int b = 0; b < cfg->count; b++) {
		const struct cfg_block *block = &cfg->blocks[b];
		for (unsigned k = 0; k < block->successor_count; k++)
			list_push(&facts->arcs, ((struct td_arc){(uint32_t)b, (uint32_t)block->successors[k]}));
		if (!block->header)
			continue;
		struct td_loop loop = {.header = (uint32_t)b, .depth = block->depth};
		loop.parent = block->outer < 0 ? UINT32_MAX : (uint32_t)block->outer;
		for (int m = 0; m < cfg->count; m++)
			loop.blocks += cfg_in_loop(cfg, m, b);
		list_push(&facts->loops, loop);
	}
}

/* ---- edges that others tell of ---- */

/* Does it end, and neither the program nor the run? Addresses are looked at before they are used (split.c), so that a wrong one is noticed in time. */
static bool is_quiet(const struct unit *u, Value i)
{
	if (LLVMIsACallInst(i))
		return intrinsic_of(i)->kind == INTRINSIC_TERM || intrinsic_of(i)->kind == INTRINSIC_SAME || LLVMIsADbgInfoIntrinsic(i);
	if (LLVMIsABinaryOperator(i))
		return !safety_in_doubt(u, i);
	return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) || LLVMIsAGetElementPtrInst(i) ||
	       LLVMIsAPHINode(i) || LLVMIsASelectInst(i) || LLVMIsAUnaryOperator(i) || LLVMIsAFreezeInst(i) || LLVMIsAExtractValueInst(i) ||
	       LLVMIsAInsertValueInst(i) || LLVMIsABranchInst(i) || LLVMIsASwitchInst(i);
}

static bool is_quiet_block(const struct unit *u, Block b)
{
	for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (!is_quiet(u, i))
			return false;
	return true;
}

/* Straight on from block b: the block that ends with a site, or -1; and is nothing on the way that might end the run? */
static int straight_on(const struct unit *u, const struct cfg *cfg, const uint32_t *site_of, int b, bool *quiet)
{
	*quiet = true;
	for (int n = 0; n < cfg->count; n++) {
		*quiet = *quiet && is_quiet_block(u, cfg->blocks[b].block);
		if (site_of[b] || cfg->blocks[b].successor_count != 1)
			return site_of[b] ? b : -1;
		b = cfg->blocks[b].successors[0];
	}
	return -1;
}

static void set_numbers(const struct unit *u, Value i, unsigned kind, LLVMMetadataRef *numbers, size_t count)
{
	if (count)
		LLVMSetMetadata(i, kind, LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, numbers, count)));
}

/* If an edge is the only way into a block, and that leads straight to a site that cannot be reached without it, the site tells of it. */
static void add_behind(struct facts *facts, const struct unit *u, const struct cfg *cfg, const uint32_t *site_of, int from)
{
	const struct td_site *site = &facts->sites.at[site_of[from] - 1];
	const struct cfg_block *block = &cfg->blocks[from];
	LIST(LLVMMetadataRef) told = {0};
	for (unsigned k = 0; k < block->successor_count; k++) {
		int to = block->successors[k];
		bool quiet;
		int at = cfg->blocks[to].predecessor_count == 1 ? straight_on(u, cfg, site_of, to, &quiet) : -1;
		if (at < 0 || !cfg_dominates(cfg, to, at))
			continue;
		uint32_t edge = site->first_edge + (site->kind == TD_SITE_BRANCH ? 1 - k : k);
		facts->sites.at[site_of[at] - 1].behind = edge;
		LLVMMetadataRef number = LLVMValueAsMetadata(unit_const32(u, edge));
		if (!quiet)
			continue;
		list_push(&told, number);
		set_numbers(u, LLVMGetBasicBlockTerminator(cfg->blocks[at].block), u->md_behind, &number, 1);
	}
	set_numbers(u, LLVMGetBasicBlockTerminator(block->block), u->md_told, told.at, told.count);
	free(told.at);
}

static void find_behind(struct facts *facts, const struct unit *u, const struct cfg *cfg, uint32_t first_site)
{
	uint32_t *site_of = memory_array((size_t)cfg->count, sizeof *site_of); /* + 1, by block: what it ends with */
	for (size_t k = first_site; k < facts->sites.count; k++)
		if (facts->sites.at[k].kind != TD_SITE_SELECT)
			site_of[facts->sites.at[k].block] = (uint32_t)k + 1;
	for (int b = 0; b < cfg->count; b++)
		if (site_of[b] && cfg->blocks[b].order >= 0)
			add_behind(facts, u, cfg, site_of, b);
	free(site_of);
}

enum { NAMES_SIZE = 4096 };

static void add_function(struct facts *facts, struct unit *u, Value function)
{
	char names[NAMES_SIZE];
	signature_names(function, names, sizeof names);
	struct cfg *cfg = cfg_new(function);
	LLVMMetadataRef program = LLVMGetSubprogram(function);
	char *type = LLVMPrintTypeToString(LLVMGlobalGetValueType(function));
	struct td_function_facts f = {
		.name = facts_string(facts, unit_name(function)), .file = file_of_function(facts, program),
		.line = program ? LLVMDISubprogramGetLine(program) : 0, .blocks = (uint32_t)cfg->count,
		.first_arc = (uint32_t)facts->arcs.count, .first_call = (uint32_t)facts->calls.count,
		.first_loop = (uint32_t)facts->loops.count, .first_site = (uint32_t)facts->sites.count,
		.parameters = LLVMCountParams(function), .type = facts_string(facts, type), .first_use = (uint32_t)facts->uses.count, .names = facts_string(facts, names),
	};
	LLVMDisposeMessage(type);
	f.key = hash_text(hash_text(TD_BUILD_START, facts->strings.at + facts->source), unit_name(function));
	f.flags |= LLVMGetLinkage(function) == LLVMInternalLinkage ? TD_FN_STATIC : 0u;
	f.flags |= LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) ? TD_FN_VARIADIC : 0u;
	f.flags |= unit_has_attribute(function, "noreturn") ? TD_FN_NORETURN : 0u;
	f.flags |= unit_address_taken(function) ? TD_FN_ADDRESS_TAKEN : 0u;
	struct place at = {.function = (uint32_t)facts->functions.count, .first_use = f.first_use, .key = f.key, .cfg = cfg, .main = unit_is_named(function, "main")};
	for (int b = 0; b < cfg->count; b++) {
		at.block = (uint32_t)b;
		add_block(facts, u, &at);
	}
	add_flow(facts, cfg);
	if (!u->options.models && !u->options.marks_all)
		find_behind(facts, u, cfg, f.first_site);
	f.arcs = (uint32_t)facts->arcs.count - f.first_arc;
	f.calls = (uint32_t)facts->calls.count - f.first_call;
	f.loops = (uint32_t)facts->loops.count - f.first_loop;
	f.sites = (uint32_t)facts->sites.count - f.first_site;
	f.uses = (uint32_t)facts->uses.count - f.first_use;
	list_push(&facts->functions, f);
	cfg_free(cfg);
}

/* Those that get a function record (clone.c). A naked function is all assembly. */
static bool is_described(Value f)
{
	return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage && !unit_has_attribute(f, "naked");
}

static uint32_t hash_code(LLVMModuleRef module)
{
	LLVMMemoryBufferRef bytes = LLVMWriteBitcodeToMemoryBuffer(module);
	uint64_t h = hash(TD_BUILD_START, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes));
	LLVMDisposeMemoryBuffer(bytes);
	return (uint32_t)(h ^ h >> 32);
}

void facts_collect(struct facts *facts, struct unit *u)
{
	size_t length;
	facts->code = hash_code(u->module);
	char *here = get_current_dir_name(); /* as clang: by $PWD if that is true */
	const char *directory = here ? here : "";
	char *source = path_join(directory, LLVMGetSourceFileName(u->module, &length));
	facts->root = u->options.root ? path_join(directory, u->options.root) : path_root(source, directory);
	facts->directory = facts_string(facts, facts->root);
	facts->source = file_name(facts, NULL, 0, source, (unsigned)strlen(source));
	free(source);
	free(here);
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
		if (is_described(f))
			add_function(facts, u, f);
		else if (LLVMIsDeclaration(f) && unit_address_taken(f))
			list_push(&facts->taken, facts_string(facts, unit_name(f)));
}

/* ---- writing ---- */

Type facts_edges_type(const struct facts *facts, const struct unit *u)
{
	return LLVMArrayType2(u->i8, facts->edges ? facts->edges : 1);
}

Type facts_record_type(const struct unit *u)
{
	Type fields[] = {u->ptr, u->ptr, u->i32, u->i32, u->ptr};
	return LLVMStructTypeInContext(u->context, fields, 5, false);
}

struct bytes { LIST(char) list; };

static struct td_table append_table(struct bytes *to, const void *data, size_t count, size_t size)
{
	while (to->list.count % 8)
		list_push(&to->list, '\0');
	struct td_table table = {(uint32_t)(sizeof(struct td_facts) + to->list.count), (uint32_t)count};
	for (size_t i = 0; i < count * size; i++)
		list_push(&to->list, ((const char *)data)[i]);
	return table;
}

#define APPEND(name) append_table(&tail, facts->name.at, facts->name.count, sizeof *facts->name.at)

Value facts_write(const struct facts *facts, struct unit *u, Value edges, Value records)
{
	struct bytes tail = {0};
	struct td_facts h = {.magic = TD_FACTS_MAGIC, .version = TD_FACTS_VERSION, .edges = facts->edges, .source = facts->source};
	h.directory = facts->directory;
	h.code = facts->code;
	h.flags = u->options.models ? TD_FACTS_HIDDEN : 0;
	h.sites = APPEND(sites);
	h.functions = APPEND(functions);
	h.arcs = APPEND(arcs);
	h.calls = APPEND(calls);
	h.loops = APPEND(loops);
	h.cases = APPEND(cases);
	h.uses = APPEND(uses);
	h.flows = APPEND(flows);
	h.shapes = APPEND(shapes);
	h.taken = APPEND(taken);
	h.strings = APPEND(strings);
	while (tail.list.count % 8)
		list_push(&tail.list, '\0');
	h.size = (uint32_t)(sizeof h + tail.list.count);
	h.hash = hash(TD_BUILD_START, tail.list.at, tail.list.count);
	uint32_t words[sizeof h / 4];
	memcpy(words, &h, sizeof h);
	enum { FIELDS = sizeof h / 4 };
	Type types[FIELDS + 1];
	Value values[FIELDS + 1];
	for (unsigned i = 0; i < FIELDS; i++) {
		types[i] = u->i32;
		values[i] = unit_const32(u, words[i]);
	}
	values[FIELDS] = LLVMConstStringInContext2(u->context, tail.list.at, tail.list.count, true);
	types[FIELDS] = LLVMTypeOf(values[FIELDS]);
	Type type = LLVMStructTypeInContext(u->context, types, FIELDS + 1, true);
	Value block = LLVMAddGlobal(u->module, type, "td.facts");
	size_t edges_at = offsetof(struct td_facts, edges_link), records_at = offsetof(struct td_facts, functions_link);
	values[edges_at / 4] = unit_self_relative(u, block, edges_at, edges);
	values[records_at / 4] = records ? unit_self_relative(u, block, records_at, records) : u->zero;
	LLVMSetInitializer(block, LLVMConstStructInContext(u->context, values, FIELDS + 1, true));
	LLVMSetGlobalConstant(block, true);
	LLVMSetLinkage(block, LLVMInternalLinkage);
	LLVMSetSection(block, TD_FACTS_SECTION);
	LLVMSetAlignment(block, 8);
	free(tail.list.at);
	return block;
}
