/* Twelve letters, a number that they make grow and shrink, and what is behind it: easy to begin with, hard to go through. Which branch should be tried next? `tandem learn` finds out. */
#include <string.h>
#include <unistd.h>
static int kind(const char *s, int n)
{
	int k = 0;
	for (int i = 0; i < n; i++) {
		switch (s[i]) {
		case 'a': k += 1; break;
		case 'b': k += k > 2 ? 3 : 1; break;
		case '(': k = k * 2 + 1; break;
		case ')': if (k > 5) k -= 5; break;
		default: if (s[i] > 'x') k--; else if (s[i] == '0' + i) k += 7;
		}
		if (k > 20) { if (s[0] == 'q') return 3; if (s[n - 1] == '!') return 4; }
	}
	return k % 3;
}
int main(void)
{
	char b[12] = "";
	int n = (int)read(0, b, sizeof b);
	if (n < 4) return 9;
	int k = kind(b, n);
	if (k == 3 && memcmp(b + 4, "key", 3) == 0) return 5;
	return k;
}
