/* See request.h. Standard input and the content of files go other ways: by descriptor, and through the scratch directory. */
#include "run/request.h"

#include "base/err.h"
#include "contract/trace.h"

#include <stdint.h>
#include <string.h>

struct area {
	char *at;
	size_t left;
	bool full;
};

static void put(struct area *a, const void *bytes, size_t size)
{
	a->full |= size > a->left;
	if (a->full)
		return;
	if (size)
		memcpy(a->at, bytes, size);
	a->at += size;
	a->left -= size;
}

static void put_text(struct area *a, const char *text)
{
	put(a, text, strlen(text) + 1);
}

bool request_put(struct td_header *h, const struct testcase *t, struct err *err)
{
	struct area a = { (char *)h + h->args_off, h->args_size, false };
	for (size_t i = 0; i < t->args_count; i++)
		put_text(&a, t->args[i]);
	for (size_t i = 0; i < t->env_count; i++)
		put_text(&a, t->env[i]);
	for (size_t i = 0; i < t->files_count; i++)
		put_text(&a, t->files[i].path);
	for (size_t i = 0; i < t->marks_count; i++) {
		uint32_t size = (uint32_t)t->marks[i].size;
		put(&a, &size, sizeof size);
		put(&a, t->marks[i].bytes, size);
	}
	h->argc = a.full ? 0 : (uint32_t)t->args_count;
	h->env = a.full ? 0 : (uint32_t)t->env_count;
	h->files = a.full ? 0 : (uint32_t)t->files_count;
	h->marks = a.full ? 0 : (uint32_t)t->marks_count;
	return !a.full || err_set(err, "arguments, variables and marks need more than %zu bytes", (size_t)h->args_size);
}
