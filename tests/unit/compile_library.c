/* The table of what library functions do to memory: sorted, and words that can be read. It is static, so the file is included here. */
#include "compile_ir.h"

#include "compile/effect.h"
#include "compile/library.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_word(const char *word, size_t length)
{
	static const char *const kinds = "z=>?!";
	if ((word[0] != 'r' && word[0] != 'w') || length < 3 || !isdigit((unsigned char)word[1]) || !strchr(kinds, word[2]))
		return false;
	size_t digits = strspn(word + 3, "0123456789");
	bool needed = word[2] == '=' || word[2] == '?';
	return needed ? digits && length == 3 + digits : word[2] == '>' ? length <= 4 : length == 3 + (word[2] == '!' ? digits : 0);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (i && strcmp(table[i - 1].name, table[i].name) >= 0)
			fail_msg("%s is not behind %s", table[i].name, table[i - 1].name);
		assert_true(!effect_has_model(table[i].name) || effect_models_result(table[i].name)); /* its model would have to see to it */
		for (const char *word = table[i].checks; word; word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL)
			if (!is_word(word, strcspn(word, " ")))
				fail_msg("%s: %s", table[i].name, word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
