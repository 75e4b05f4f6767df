/* A string that grows. Start from `struct str s = {0}`; str_text is never NULL; str_free when done. */
#ifndef TANDEM_BASE_STR_H
#define TANDEM_BASE_STR_H

#include <stddef.h>

struct str {
	char *text;
	size_t length, room;
};

void str_add(struct str *s, const char *text);
void str_add_char(struct str *s, char c);
void str_add_bytes(struct str *s, const void *bytes, size_t size);
void str_printf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *str_text(const struct str *s);
void str_clear(struct str *s); /* empties it, keeps the memory */
void str_free(struct str *s);

#endif
