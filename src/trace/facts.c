/* Program facts. The section is read as it lies in the file: it has no load-time relocations. Blocks of
 * different object files follow each other, 8-aligned, with zeros between them where the linker padded.
 *
 * A block says where its edges are by a self-relative link: the address of the field, plus its value, is the address of
 * the block's first edge; minus the address of the edge section it is a dense index. Everything is
 * checked here, once: binaries are edited, stripped and half-written, and nobody who uses facts wants to check again. */
#include "trace/facts.h"

#include "base/mem.h"
#include "base/vec.h"
#include "contract/module.h"

#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* --- one block --- */

static bool table_fits(const struct td_facts *h, struct td_table t, size_t element)
{
	return t.offset % (element % 8 ? 4 : 8) == 0 && t.offset >= sizeof *h && t.offset <= h->size &&
	       t.count <= (h->size - t.offset) / element;
}

static bool tables_fit(const struct td_facts *h)
{
	const struct td_table s = h->strings;
	return table_fits(h, h->sites, sizeof(struct td_site)) &&
	       table_fits(h, h->functions, sizeof(struct td_function_facts)) &&
	       table_fits(h, h->arcs, sizeof(struct td_arc)) && table_fits(h, h->calls, sizeof(struct td_call)) &&
	       table_fits(h, h->loops, sizeof(struct td_loop)) && table_fits(h, h->cases, sizeof(uint64_t)) &&
	       s.offset <= h->size && s.count >= 1 && s.count <= h->size - s.offset &&
	       ((const char *)h)[s.offset + s.count - 1] == '\0';
}

static bool range_fits(uint32_t first, uint32_t count, uint32_t total)
{
	return first <= total && count <= total - first;
}

static bool site_fits(const struct facts_block *b, const struct td_site *s)
{
	const struct td_facts *h = b->head;
	bool cases = s->kind != TD_SITE_SWITCH || range_fits(s->first_case, s->edges - 1, h->cases.count);
	return s->kind <= TD_SITE_SELECT && s->edges >= 1 && cases && s->function < h->functions.count &&
	       s->file < h->strings.count && ((h->flags & TD_FACTS_HIDDEN) || range_fits(s->first_edge, s->edges, h->edges));
}

static bool function_fits(const struct facts_block *b, const struct td_function_facts *f)
{
	const struct td_facts *h = b->head;
	return f->name < h->strings.count && f->file < h->strings.count && f->type < h->strings.count &&
	       range_fits(f->first_arc, f->arcs, h->arcs.count) && range_fits(f->first_call, f->calls, h->calls.count) &&
	       range_fits(f->first_loop, f->loops, h->loops.count) && range_fits(f->first_site, f->sites, h->sites.count);
}

static bool rows_fit(const struct facts_block *b)
{
	const struct td_facts *h = b->head;
	for (uint32_t i = 0; i < h->sites.count; i++)
		if (!site_fits(b, &b->sites[i]))
			return false;
	for (uint32_t i = 0; i < h->functions.count; i++)
		if (!function_fits(b, &b->functions[i]))
			return false;
	for (uint32_t i = 0; i < h->calls.count; i++)
		if (b->calls[i].callee >= h->strings.count || b->calls[i].type >= h->strings.count)
			return false;
	return h->source < h->strings.count;
}

static struct facts_block point(const struct td_facts *h)
{
	const char *base = (const char *)h;
	return (struct facts_block){
		.head = h,
		.sites = (const void *)(base + h->sites.offset),
		.functions = (const void *)(base + h->functions.offset),
		.arcs = (const void *)(base + h->arcs.offset),
		.calls = (const void *)(base + h->calls.offset),
		.loops = (const void *)(base + h->loops.offset),
		.cases = (const void *)(base + h->cases.offset),
		.strings = base + h->strings.offset,
	};
}

/* The block at an offset of the section, or false if there is none that makes sense. */
static bool read_block(const struct facts *f, const struct facts_section *s, size_t offset, struct facts_block *b)
{
	const struct td_facts *h = (const void *)((const char *)f->bytes + offset);
	size_t left = s->size - offset;
	if (left < sizeof *h || h->magic != TD_FACTS_MAGIC || h->version != TD_FACTS_VERSION)
		return false;
	if (h->size < sizeof *h || h->size > left || h->size % 8 || !tables_fit(h))
		return false;
	*b = point(h);
	if (!rows_fit(b))
		return false;
	if (h->edges == 0)
		return true;
	uint64_t field = s->address + offset + offsetof(struct td_facts, edges_link);
	uint64_t first = field + (uint64_t)(int64_t)h->edges_link - s->edges_address;
	b->first_edge = (uint32_t)first;
	return first <= s->edges_size && h->edges <= s->edges_size - first;
}

/* --- all blocks --- */

static bool read_blocks(struct facts *f, const struct facts_section *s, struct err *err)
{
	VEC(struct facts_block) blocks = {0};
	uint64_t word;
	for (size_t offset = 0; offset + sizeof word <= s->size;) {
		memcpy(&word, (const char *)f->bytes + offset, sizeof word);
		if (word == 0) {
			offset += sizeof word;
			continue;
		}
		struct facts_block b;
		if (!read_block(f, s, offset, &b)) {
			vec_free(&blocks);
			return err_set(err, "program facts are garbled at byte %zu, or of another version of tandem cc", offset);
		}
		vec_push(&blocks, b);
		offset += b.head->size;
	}
	f->blocks = blocks.at;
	f->blocks_count = blocks.count;
	return true;
}

static int by_edge(const void *x, const void *y)
{
	const struct facts_place *a = x, *b = y;
	return (a->first_edge > b->first_edge) - (a->first_edge < b->first_edge);
}

static void index_sites(struct facts *f)
{
	VEC(struct facts_place) places = {0};
	for (size_t i = 0; i < f->blocks_count; i++) {
		const struct facts_block *b = &f->blocks[i];
		uint32_t numbered = b->head->edges ? b->head->sites.count : 0;
		for (uint32_t k = 0; k < numbered; k++)
			vec_push(&places, (struct facts_place){ b, &b->sites[k], b->first_edge + b->sites[k].first_edge });
	}
	if (places.count)
		qsort(places.at, places.count, sizeof *places.at, by_edge);
	f->places = places.at;
	f->places_count = places.count;
}

bool facts_parse(struct facts *f, const struct facts_section *s, struct err *err)
{
	*f = (struct facts){ .bytes = mem_resize(NULL, s->size), .edges = (uint32_t)s->edges_size };
	memcpy(f->bytes, s->bytes, s->size);
	if (s->edges_size > UINT32_MAX || !read_blocks(f, s, err)) {
		err_set(err, "more edges than a trace can name");
		facts_close(f);
		return false;
	}
	index_sites(f);
	return true;
}

void facts_close(struct facts *f)
{
	free(f->places);
	free(f->blocks);
	free(f->bytes);
	*f = (struct facts){0};
}

/* --- the binary --- */

static Elf_Scn *find_section(Elf *elf, const char *wanted, GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const char *name = gelf_getshdr(s, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
		if (name && strcmp(name, wanted) == 0)
			return s;
	}
	return NULL;
}

/* The models, which are in every program that tandem cc links, are not the program. */
static bool is_only_models(const struct facts *f)
{
	for (size_t i = 0; i < f->blocks_count; i++)
		if (!(f->blocks[i].head->flags & TD_FACTS_HIDDEN))
			return false;
	return true;
}

static bool read_elf(struct facts *f, Elf *elf, const char *path, struct err *err)
{
	GElf_Shdr facts, edges = {0}, runtime;
	GElf_Ehdr file;
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file))
		return err_set(err, "%s is not a program", path);
	Elf_Scn *section = find_section(elf, TD_FACTS_SECTION, &facts);
	if (!section)
		return err_set(err, "%s was not built with tandem cc", path);
	if (file.e_type == ET_REL)
		return err_set(err, "%s is an object file, not a program", path);
	if (!find_section(elf, TD_RUNTIME_SECTION, &runtime))
		return err_set(err, "%s was compiled by tandem cc but linked without it: link it with tandem cc to trace it", path);
	Elf_Data *data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf || facts.sh_type == SHT_NOBITS)
		return err_set(err, "%s: program facts are missing or garbled", path);
	if (!find_section(elf, TD_EDGE_SECTION, &edges))
		edges = (GElf_Shdr){0};
	struct facts_section s = { data->d_buf, data->d_size, facts.sh_addr, edges.sh_addr, edges.sh_size };
	struct err inner = {0};
	if (!facts_parse(f, &s, &inner))
		return err_set(err, "%.200s: %.250s", path, inner.text);
	if (!is_only_models(f))
		return true;
	facts_close(f);
	return err_set(err, "%s was not built with tandem cc", path);
}

bool facts_open(struct facts *f, const char *path, struct err *err)
{
	*f = (struct facts){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "cannot open %s", path);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	bool ok = elf ? read_elf(f, elf, path, err) : err_set(err, "cannot read %s: %s", path, elf_errmsg(-1));
	elf_end(elf);
	close(fd);
	return ok;
}

/* --- questions --- */

const struct facts_place *facts_find(const struct facts *f, uint32_t edge)
{
	size_t low = 0, high = f->places_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (f->places[middle].first_edge <= edge)
			low = middle + 1;
		else
			high = middle;
	}
	const struct facts_place *p = low ? &f->places[low - 1] : NULL;
	return p && edge - p->first_edge < p->site->edges ? p : NULL;
}

const char *facts_string(const struct facts_block *b, uint32_t offset)
{
	return offset < b->head->strings.count ? b->strings + offset : "";
}

const char *facts_function(const struct facts_place *p)
{
	return facts_string(p->block, p->block->functions[p->site->function].name);
}

const char *facts_file(const struct facts_place *p)
{
	return facts_string(p->block, p->site->file);
}
