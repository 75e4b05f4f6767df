/* See options.h. A row per word; one that ends in = is followed by its value. */
#include "compile/options.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *word;
	size_t field;  /* of struct unit_options: a bool, or with a value a string */
} words[] = {
	{"--tandem-models", offsetof(struct unit_options, models)},
	{"--tandem-verify", offsetof(struct unit_options, verify)},
	{"--tandem-signed", offsetof(struct unit_options, checks_signed)},
	{"--tandem-mark-all", offsetof(struct unit_options, marks_all)},
	{"--tandem-dump=", offsetof(struct unit_options, dump)},
	{"--tandem-root=", offsetof(struct unit_options, root)},
	{"-fwrapv", offsetof(struct unit_options, wraps)},
};

bool options_take(struct unit_options *o, const char *word)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t length = strlen(words[i].word);
		bool has_value = words[i].word[length - 1] == '=';
		void *field = (char *)o + words[i].field;
		if (strncmp(word, words[i].word, length) != 0 || (!has_value && word[length]))
			continue;
		if (has_value)
			*(const char **)field = word + length;
		else
			*(bool *)field = true;
		return true;
	}
	return false;
}
