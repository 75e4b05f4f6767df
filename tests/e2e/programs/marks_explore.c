// Values of marks are found, assumptions kept: one that does not hold at first is solved, and the crash happens without tracing too.
// tandem: explore --time 20 --out found @
// expect: ^bug: SIGABRT .*secret = ",\\x00\\x00\\x00", word = "key!"
// expect: ^status 10$
#include <stdlib.h>
#include <string.h>
#include <tandem.h>

int main(void)
{
	int secret = 0;
	char word[4] = "";
	tandem_symbolic(&secret, sizeof secret, "secret");
	tandem_assume(secret > 40);
	tandem_symbolic(word, sizeof word, "word");
	tandem_assume(secret < 50);
	if (secret % 11 == 0 && memcmp(word, "key!", 4) == 0)
		abort();
	return 0;
}
