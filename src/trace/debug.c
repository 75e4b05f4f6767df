/* ELF and DWARF, read with libelf and libdw. A path may come out of a trace, where anything can be written: what is no ordinary file is not
 * even waited for. clang writes no table of address ranges, so compilation units are asked one by one; a report asks about a
 * hundred addresses at most. */
#include "trace/debug.h"

#include "base/mem.h"
#include "base/vec.h"
#include "contract/module.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64 /* of scopes in each other */

struct symbol {
	uint64_t start, size;
	const char *name;
};

struct debug {
	int fd;
	Elf *elf;
	Dwarf *dwarf; /* NULL: it has none */
	VEC(struct symbol) symbols; /* functions */
	uint64_t runtime, runtime_size; /* where the runtime's code is */
};

/* --- symbols --- */

static void add_symbols(struct debug *d, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym s;
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		if (!gelf_getsym(data, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF)
			continue;
		const char *name = elf_strptr(d->elf, header->sh_link, s.st_name);
		if (name && *name)
			vec_push(&d->symbols, (struct symbol){ s.st_value, s.st_size, name });
	}
}

/* Those for the dynamic linker, if that is all there is. */
static void read_symbols(struct debug *d)
{
	static const uint32_t kinds[] = { SHT_SYMTAB, SHT_DYNSYM };
	for (size_t k = 0; k < 2 && !d->symbols.count; k++)
		for (Elf_Scn *s = elf_nextscn(d->elf, NULL); s; s = elf_nextscn(d->elf, s)) {
			GElf_Shdr header;
			if (gelf_getshdr(s, &header) && header.sh_type == kinds[k])
				add_symbols(d, s, &header);
		}
}

static void find_runtime(struct debug *d)
{
	size_t names;
	GElf_Shdr header;
	if (elf_getshdrstrndx(d->elf, &names) != 0)
		return;
	for (Elf_Scn *s = elf_nextscn(d->elf, NULL); s; s = elf_nextscn(d->elf, s)) {
		const char *name = gelf_getshdr(s, &header) ? elf_strptr(d->elf, names, header.sh_name) : NULL;
		if (name && strcmp(name, TD_CODE_SECTION) == 0) {
			d->runtime = header.sh_addr;
			d->runtime_size = header.sh_size;
		}
	}
}

bool debug_is_runtime(const struct debug *d, uint64_t address)
{
	return address - d->runtime < d->runtime_size;
}

static const struct symbol *symbol_at(const struct debug *d, uint64_t address)
{
	for (size_t i = 0; i < d->symbols.count; i++)
		if (address - d->symbols.at[i].start < d->symbols.at[i].size)
			return &d->symbols.at[i];
	return NULL;
}

const char *debug_symbol(const struct debug *d, uint64_t address)
{
	const struct symbol *s = symbol_at(d, address);
	return s ? s->name : NULL;
}

bool debug_has_symbol(const struct debug *d, const char *name)
{
	for (size_t i = 0; i < d->symbols.count; i++)
		if (strcmp(d->symbols.at[i].name, name) == 0)
			return true;
	return false;
}

/* --- scopes --- */

static bool find_unit(struct debug *d, uint64_t address, Dwarf_Die *unit)
{
	Dwarf_Off at = 0, next;
	size_t header;
	while (d->dwarf && dwarf_nextcu(d->dwarf, at, &next, &header, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(d->dwarf, at + header, unit) && dwarf_haspc(unit, address) == 1)
			return true;
		at = next;
	}
	return false;
}

/* The child that has the address and is code; false: none. */
static bool descend(Dwarf_Die *scope, uint64_t address, Dwarf_Die *child)
{
	if (dwarf_child(scope, child) != 0)
		return false;
	do {
		int tag = dwarf_tag(child);
		bool code = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
		if (code && dwarf_haspc(child, address) == 1)
			return true;
	} while (dwarf_siblingof(child, child) == 0);
	return false;
}

/* Functions around an address, the outermost first. */
static size_t find_functions(Dwarf_Die *unit, uint64_t address, Dwarf_Die functions[DEPTH_MAX])
{
	size_t count = 0;
	Dwarf_Die scope = *unit, child;
	for (unsigned depth = 0; depth < DEPTH_MAX && descend(&scope, address, &child); depth++) {
		if (dwarf_tag(&child) != DW_TAG_lexical_block)
			functions[count++] = child;
		scope = child;
	}
	return count;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* --- files --- */

/* Takes out `.`, `..` and doubled slashes, by the text alone. */
static void straighten(char *path)
{
	char *to = path;
	size_t up = 0; /* how many names can be taken back */
	bool absolute = *path == '/';
	const char *from = path;
	to += absolute;
	while (*from) {
		size_t n = strcspn(from, "/");
		bool back = n == 2 && from[0] == '.' && from[1] == '.';
		if (back && up) {
			for (to--, up--; to > path + absolute && to[-1] != '/';)
				to--;
		} else if (n && !(n == 1 && from[0] == '.') && !(back && absolute)) {
			memmove(to, from, n);
			to += n;
			up += !back;
			*to++ = '/'; /* never beyond what was read: a slash or the end was there */
		}
		from += n;
		from += *from == '/';
	}
	if (to > path + absolute)
		to--;
	*to = 0;
}

static const char *full_path(Dwarf_Die *unit, const char *file, struct arena *a)
{
	Dwarf_Attribute attribute;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (!file)
		return NULL;
	char *path = file[0] == '/' || !directory ? arena_printf(a, "%s ", file) : arena_printf(a, "%s/%s ", directory, file);
	path[strlen(path) - 1] = 0; /* the blank was room for a slash */
	straighten(path);
	return path;
}

static void place_line(Dwarf_Die *unit, uint64_t address, struct debug_place *p, struct arena *a)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0, column = 0;
	if (!line)
		return;
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	p->file = full_path(unit, dwarf_linesrc(line, NULL, NULL), a);
	p->line = number > 0 ? (uint32_t)number : 0;
	p->column = p->line && column > 0 ? (uint32_t)column : 0;
}

/* Where the inlined function was called. */
static void place_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct debug_place *p, struct arena *a)
{
	Dwarf_Files *files;
	size_t count;
	uint32_t file = number_of(inlined, DW_AT_call_file);
	if (dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
		p->file = full_path(unit, dwarf_filesrc(files, file, NULL, NULL), a);
	p->line = number_of(inlined, DW_AT_call_line);
	p->column = number_of(inlined, DW_AT_call_column);
}

size_t debug_find(struct debug *d, uint64_t address, struct debug_place *places, size_t room, struct arena *a)
{
	Dwarf_Die unit, functions[DEPTH_MAX];
	if (!room || !find_unit(d, address, &unit))
		return 0;
	size_t count = find_functions(&unit, address, functions);
	if (!count) { /* a unit with line tables alone tells only of functions that others are inlined into */
		places[0] = (struct debug_place){ .function = debug_symbol(d, address) };
		place_line(&unit, address, &places[0], a);
		return 1;
	}
	count = count < room ? count : room;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Die *f = &functions[count - 1 - i];
		places[i] = (struct debug_place){ .function = name_of(f) };
		if (i == 0)
			place_line(&unit, address, &places[i], a);
		else
			place_call(&unit, f + 1, &places[i], a);
	}
	return count;
}

static bool is_of(Dwarf_Line *l, uint32_t line, uint32_t column)
{
	int its_line, its_column;
	return dwarf_lineno(l, &its_line) == 0 && dwarf_linecol(l, &its_column) == 0 && (uint32_t)its_line == line && (uint32_t)its_column == column;
}

uint64_t debug_instead(struct debug *d, uint64_t address, uint32_t line, uint32_t column)
{
	const struct symbol *s = symbol_at(d, address);
	Dwarf_Die unit;
	Dwarf_Lines *lines;
	size_t count;
	uint64_t found = address;
	if (!s || !find_unit(d, address, &unit) || dwarf_getsrclines(&unit, &lines, &count) != 0)
		return address;
	for (size_t i = 0; i < count && found <= address; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		Dwarf_Addr at;
		if (dwarf_lineaddr(l, &at) == 0 && at - s->start < s->size && is_of(l, line, column))
			found = at;
	}
	return found;
}

static bool has_model(Dwarf_Die *unit)
{
	Dwarf_Die child;
	if (dwarf_child(unit, &child) != 0)
		return false;
	do {
		const char *name = dwarf_tag(&child) == DW_TAG_subprogram ? name_of(&child) : NULL;
		if (name && strncmp(name, "__td_m_", 7) == 0)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* The sides that a model has been given are in a unit of their own, which has lines and no functions, beside that of the same source. */
bool debug_is_model(struct debug *d, uint64_t address)
{
	Dwarf_Die unit, other;
	Dwarf_CU *at = NULL;
	if (!find_unit(d, address, &unit))
		return false;
	if (has_model(&unit))
		return true;
	const char *source = dwarf_diename(&unit);
	while (source && dwarf_get_units(d->dwarf, at, &at, NULL, NULL, &other, NULL) == 0) {
		const char *name = dwarf_diename(&other);
		if (name && strcmp(name, source) == 0 && has_model(&other))
			return true;
	}
	return false;
}

/* --- files --- */

struct debug *debug_open(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	elf_version(EV_CURRENT);
	Elf *elf = regular ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		close(fd);
		return NULL;
	}
	struct debug *d = mem_alloc(sizeof *d);
	d->fd = fd;
	d->elf = elf;
	d->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	read_symbols(d);
	find_runtime(d);
	return d;
}

void debug_close(struct debug *d)
{
	if (!d)
		return;
	vec_free(&d->symbols);
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	close(d->fd);
	free(d);
}
