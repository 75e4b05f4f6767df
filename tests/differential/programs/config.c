// A configuration file: sections, keys with values of several kinds, comments; a variable overrides one of them; a second file
// is included. Read by getline and fread.
// file: app.conf # main\n[net]\nport = 8080\nhost=local\n[log]\nlevel = 3 ; high\ninclude extra/log.conf\n
// file: extra/log.conf file=/tmp/x\nkeep=no\n
// env: APP_PORT=443
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
	long port, level;
	char host[16], file[16];
	int keep, errors;
};

static char *trim(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	char *end = s + strcspn(s, "#;");
	*end = 0;
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = 0;
	return s;
}

static void put(char *to, const char *from)
{
	if (strlen(from) < 16)
		strcpy(to, from);
}

static void set(struct settings *s, const char *section, const char *key, const char *value)
{
	if (strcmp(section, "net") == 0 && strcmp(key, "port") == 0)
		s->port = strtol(value, NULL, 10);
	else if (strcmp(section, "net") == 0 && strcmp(key, "host") == 0)
		put(s->host, value);
	else if (strcmp(key, "level") == 0)
		s->level = strtol(value, NULL, 0);
	else if (strcmp(key, "file") == 0)
		put(s->file, value);
	else if (strcmp(key, "keep") == 0)
		s->keep = strcmp(value, "yes") == 0;
	else
		s->errors++;
}

static void include(struct settings *s, const char *path)
{
	char all[64], *save = NULL;
	FILE *f = fopen(strcmp(path, "extra/log.conf") == 0 ? "extra/log.conf" : "missing", "rb");
	if (!f)
		return;
	size_t n = fread(all, 1, sizeof all - 1, f);
	all[n] = 0;
	for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = 0;
		set(s, "log", trim(line), trim(equals + 1));
	}
	fclose(f);
}

int main(void)
{
	struct settings s = { 0 };
	char section[16] = "", *line = NULL;
	size_t room = 0;
	FILE *f = fopen("app.conf", "r");
	if (!f)
		return 1;
	while (getline(&line, &room, f) > 0) {
		char *text = trim(line), *equals = strchr(text, '=');
		size_t n = strlen(text);
		if (!n)
			continue;
		if (text[0] == '[' && text[n - 1] == ']' && n < sizeof section) {
			memcpy(section, text + 1, n - 2);
			section[n - 2] = 0;
		} else if (equals) {
			*equals = 0;
			set(&s, section, trim(text), trim(equals + 1));
		} else if (strncmp(text, "include ", 8) == 0) {
			include(&s, text + 8);
		} else {
			s.errors++;
		}
	}
	free(line);
	fclose(f);
	const char *port = getenv("APP_PORT");
	if (port && *port)
		s.port = atol(port);
	if (s.port <= 0 || s.port > 65535)
		puts("bad port");
	else if (s.port < 1024)
		puts("privileged");
	printf("%ld %ld %s %s %d %d\n", s.port, s.level, s.host, s.file, s.keep, s.errors);
	return 0;
}
