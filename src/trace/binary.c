/* ELF files, read with libelf. A path may come out of a trace, where anything can be written: what is no ordinary file is not
 * even waited for. */
#include "trace/binary.h"

#include "base/mem.h"
#include "contract/facts.h"
#include "contract/module.h"
#include "contract/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Elf_Scn *find_section(Elf *elf, const char *wanted, GElf_Shdr *header)
{
	size_t names;
	*header = (GElf_Shdr){0};
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const char *name = gelf_getshdr(s, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
		if (name && strcmp(name, wanted) == 0)
			return s;
	}
	*header = (GElf_Shdr){0};
	return NULL;
}

static bool read_section(struct facts_section *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *facts)
{
	GElf_Shdr edges, functions;
	Elf_Data *data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf || facts->sh_type == SHT_NOBITS)
		return false;
	find_section(elf, TD_EDGE_SECTION, &edges);
	find_section(elf, TD_FUNCTION_SECTION, &functions);
	void *bytes = mem_resize(NULL, data->d_size);
	memcpy(bytes, data->d_buf, data->d_size);
	*s = (struct facts_section){ bytes, data->d_size, facts->sh_addr, edges.sh_addr, edges.sh_size, functions.sh_addr, functions.sh_size };
	return true;
}

static bool is_our_version(Elf_Scn *runtime)
{
	const Elf_Data *data = elf_rawdata(runtime, NULL);
	uint32_t version = 0;
	if (data && data->d_buf && data->d_size >= sizeof version)
		memcpy(&version, data->d_buf, sizeof version);
	return version == TD_VERSION;
}

static bool read_program(struct facts_section *s, Elf *elf, const char *path, struct err *err)
{
	GElf_Shdr facts, runtime;
	GElf_Ehdr file;
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file))
		return err_set(err, "%s is not a program", path);
	Elf_Scn *section = find_section(elf, TD_FACTS_SECTION, &facts);
	if (!section)
		return err_set(err, "%s was not built with tandem cc", path);
	if (file.e_type == ET_REL)
		return err_set(err, "%s is an object file, not a program", path);
	Elf_Scn *linked = find_section(elf, TD_RUNTIME_SECTION, &runtime);
	if (!linked)
		return err_set(err, "%s was compiled by tandem cc but linked without it: link it with tandem cc to trace it", path);
	if (!is_our_version(linked))
		return err_set(err, "%s was built with another version of Tandem: build it anew", path);
	return read_section(s, elf, section, &facts) || err_set(err, "%s: program facts are missing or garbled", path);
}

static bool read_library(struct facts_section *s, Elf *elf, struct err *err)
{
	GElf_Shdr facts;
	Elf_Scn *section = elf_kind(elf) == ELF_K_ELF ? find_section(elf, TD_FACTS_SECTION, &facts) : NULL;
	return (section && read_section(s, elf, section, &facts)) || err_set(err, "the file is not the one that was loaded");
}

static bool read_file(struct facts_section *s, int fd, const char *path, enum binary_kind kind, struct err *err)
{
	struct stat st;
	bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	elf_version(EV_CURRENT);
	Elf *elf = regular ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	bool ok = kind == BINARY_PROGRAM ? read_program(s, elf, path, err) : read_library(s, elf, err);
	elf_end(elf);
	return ok;
}

bool binary_read(struct facts_section *s, const char *path, enum binary_kind kind, struct err *err)
{
	*s = (struct facts_section){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return kind == BINARY_PROGRAM ? err_errno(err, "cannot open %s", path) : err_set(err, "%s", strerror(errno));
	bool ok = read_file(s, fd, path, kind, err);
	close(fd);
	return ok;
}
