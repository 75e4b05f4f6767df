/* Uses cJSON as its README says: reads a JSON text from a file, or from its first N bytes alone, and prints it again, or without what is not needed.
 *
 *	json print FILE    json prefix FILE N    json minify FILE
 */
#include "cJSON.h"

#include <stdbool.h>
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

static bool print(cJSON *json)
{
	char *text = cJSON_Print(json);
	bool well = text != NULL;
	puts(well ? text : "");
	free(text);
	cJSON_Delete(json);
	return well;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	char *text = content(argv[2]);
	bool well = true;
	if (strcmp(argv[1], "print") == 0)
		well = print(cJSON_Parse(text));
	else if (strcmp(argv[1], "prefix") == 0 && argc > 3)
		well = print(cJSON_ParseWithLength(text, strtoul(argv[3], NULL, 10)));
	else {
		cJSON_Minify(text);
		puts(text);
	}
	free(text);
	return well ? 0 : 1;
}
