/* The summary of a link (--tandem-externals): functions that instrumented code calls and that have no source here, no model and no row of effects. All
 * that is reachable from what they are given becomes concrete.
 *
 * It is only told on request. Scripts that probe a compiler (autoconf, libtool, CMake) take any line on standard error for a warning, some of
 * them for a failure; a build that was asked to be quiet must be. Nothing is lost by that: the calls are in the program facts, from which
 * `tandem trace --stats` tells the same list at any time.
 *
 * The facts are read from the linked file itself (contract/facts.h), so that all objects and archives in it count, whenever they were made. */
#include "compile/externals.h"

#include "compile/memory.h"
#include "contract/facts.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FEW = 8 };

struct names { LIST(const char *) defined, called; };

struct view { const char *bytes; size_t size; };

static bool fits(const struct view *v, uint64_t offset, uint64_t size)
{
	return offset <= v->size && size <= v->size - offset;
}

/* The section of that name; empty if there is none. */
static struct view section_of(const struct view *file, const char *name)
{
	const Elf64_Ehdr *h = (const void *)file->bytes;
	if (file->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 || !h->e_shoff ||
	    !fits(file, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)) || h->e_shstrndx >= h->e_shnum)
		return (struct view){0};
	const Elf64_Shdr *sections = (const void *)(file->bytes + h->e_shoff), *texts = &sections[h->e_shstrndx];
	for (unsigned i = 0; i < h->e_shnum; i++) {
		uint64_t at = texts->sh_offset + sections[i].sh_name;
		if (fits(file, at, strlen(name) + 1) && strcmp(file->bytes + at, name) == 0 && fits(file, sections[i].sh_offset, sections[i].sh_size))
			return (struct view){file->bytes + sections[i].sh_offset, sections[i].sh_size};
	}
	return (struct view){0};
}

static bool is_sound(const struct td_facts *h, size_t left)
{
	return left >= sizeof *h && h->magic == TD_FACTS_MAGIC && h->version == TD_FACTS_VERSION && h->size <= left && h->size >= sizeof *h;
}

static void read_block(const struct td_facts *h, struct names *n)
{
	const char *base = (const char *)h, *strings = base + h->strings.offset;
	const struct td_function_facts *functions = (const void *)(base + h->functions.offset);
	const struct td_call *calls = (const void *)(base + h->calls.offset);
	for (uint32_t i = 0; i < h->functions.count; i++)
		list_push(&n->defined, strings + functions[i].name);
	for (uint32_t i = 0; i < h->calls.count && !(h->flags & TD_FACTS_HIDDEN); i++)
		if (!(calls[i].flags & TD_CALL_KNOWN))
			list_push(&n->called, strings + calls[i].callee);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, each once, and without those that are defined. */
static size_t unknown(struct names *n)
{
	size_t count = 0;
	if (n->defined.count)
		qsort(n->defined.at, n->defined.count, sizeof *n->defined.at, compare);
	if (n->called.count)
		qsort(n->called.at, n->called.count, sizeof *n->called.at, compare);
	for (size_t i = 0; i < n->called.count; i++) {
		const char **name = &n->called.at[i];
		bool again = count && strcmp(n->called.at[count - 1], *name) == 0;
		if (!again && !(n->defined.count && bsearch(name, n->defined.at, n->defined.count, sizeof *name, compare)))
			n->called.at[count++] = *name;
	}
	return count;
}

static void tell(struct names *n, enum externals_told how)
{
	size_t count = unknown(n), told = how == EXTERNALS_ALL || count < FEW ? count : FEW;
	if (!count)
		return;
	fprintf(stderr, "tandem-cc: note: %zu function%s without a model:", count, count == 1 ? "" : "s");
	for (size_t i = 0; i < told; i++)
		fprintf(stderr, " %s", n->called.at[i]);
	fputs(told < count ? " ...\n" : "\n", stderr);
}

void externals_tell(const char *path, enum externals_told how)
{
	struct stat s;
	struct names n = {0};
	int fd = how == EXTERNALS_NOT ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &s) != 0)
		return;
	void *map = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return;
	struct view file = {map, (size_t)s.st_size}, facts = section_of(&file, TD_FACTS_SECTION);
	while (is_sound((const void *)facts.bytes, facts.size)) {
		const struct td_facts *h = (const void *)facts.bytes;
		read_block(h, &n);
		facts.bytes += h->size;
		facts.size -= h->size;
	}
	tell(&n, how);
	munmap(map, (size_t)s.st_size);
	free(n.defined.at);
	free(n.called.at);
}
