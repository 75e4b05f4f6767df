/* Uses cJSON as its README says: reads a JSON text from a file, or from its first N bytes alone, and prints it again, or without what is not needed.
 *
 *	json print FILE    json prefix FILE N    json minify FILE
 */
#include "cJSON.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *content(const char *name)
{
	FILE *f = fopen(name, "rb");
	size_t size = 0;
	char *text = malloc(1);
	for (int c; f && text && (c = getc(f)) != EOF; text = realloc(text, size + 1))
		text[size++] = (char)c;
	if (!f || !text || fclose(f))
		exit(2);
	text[size] = '\0';
	return text;
}

static int print(cJSON *json)
{
	char *text = cJSON_Print(json);
	if (text)
		puts(text);
	free(text);
	cJSON_Delete(json);
	return text ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	char *text = content(argv[2]);
	if (strcmp(argv[1], "print") == 0)
		return print(cJSON_Parse(text));
	if (strcmp(argv[1], "prefix") == 0 && argc > 3)
		return print(cJSON_ParseWithLength(text, strtoul(argv[3], NULL, 10)));
	cJSON_Minify(text);
	puts(text);
	free(text);
	return 0;
}
