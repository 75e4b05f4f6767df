/* Makes JSON of a format, which is in memory of its own, and of texts, as the manual of jansson says of json_pack: pack FORMAT [TEXT...], at most eight. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *texts[8];
	if (argc < 2 || argc > 10)
		return 2;
	for (int i = 0; i < 8; i++)
		texts[i] = i + 2 < argc ? argv[i + 2] : "";
	char *format = strdup(argv[1]);
	json_error_t error;
	json_t *json = json_pack_ex(&error, 0, format, texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], texts[6], texts[7]);
	free(format);
	if (!json) {
		printf("%d: %s\n", error.position, error.text);
		return 1;
	}
	char *text = json_dumps(json, JSON_ENCODE_ANY);
	puts(text ? text : "");
	free(text);
	json_decref(json);
	return 0;
}
