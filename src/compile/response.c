/* See response.h. Words are as in GNU tools: separated by white space, with quotes of both kinds, backslash before any character.
 * A file that cannot be read is a word like any other, as for clang. */
#include "compile/response.h"

#include "base/fs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 100 }; /* a file may name itself */

struct word { LIST(char) text; };

/* Reads up to the closing quote, or to white space if there is none to close. */
static const char *read_part(const char *p, char quote, struct word *word)
{
	for (; *p && (quote ? *p != quote : !isspace((unsigned char)*p) && *p != '"' && *p != '\''); p++) {
		if (*p == '\\' && p[1])
			p++;
		list_push(&word->text, *p);
	}
	return quote && *p ? p + 1 : p;
}

static char *read_word(const char **p)
{
	struct word word = {0};
	const char *at = *p + strspn(*p, " \t\n\v\f\r");
	if (!*at)
		return NULL;
	while (*at && !isspace((unsigned char)*at)) {
		char quote = *at == '"' || *at == '\'' ? *at : 0;
		at = read_part(quote ? at + 1 : at, quote, &word);
	}
	list_push(&word.text, '\0');
	*p = at;
	return word.text.at;
}

static void expand(struct response *to, char *word, int depth)
{
	char *text = word[0] == '@' && depth < MOST_NESTED ? fs_read(word + 1, NULL, NULL) : NULL;
	if (!text) {
		list_push(&to->words, word);
		return;
	}
	const char *p = text;
	for (char *inner; (inner = read_word(&p));)
		expand(to, inner, depth + 1);
	free(text);
}

void response_expand(struct response *to, char *word)
{
	expand(to, word, 0);
}
