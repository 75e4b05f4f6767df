// explore turns class tables round, also one behind the other, a state machine made of them, and finds the index that leaves the array.
// tandem: explore --stdin 6 --time 25 --out found @
// expect: ^bug: global-(under|over)flow in main at .* after [0-9]+ runs: stdin = 
// expect: ^status 10
#include <stdio.h>

enum { OTHER, DIGIT, LETTER, SIGN, SPACE };
static const unsigned char class_of[256] = { ['0'...'9'] = DIGIT, ['k'...'n'] = LETTER, ['+'] = SIGN, [' '] = SPACE };
static const signed char next[4 * 5] = {
	-1, 1, -1, 1, 0, /* start */
	-1, 1, 2, -1, -1, /* in a number */
	-1, -1, 2, 3, -1, /* in its unit */
	-1, 3, 3, 3, 3,
};
static const int weights[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

int main(void)
{
	int state = 0, c[6];
	for (int i = 0; i < 6; i++)
		if ((c[i] = getchar()) == EOF)
			return 1;
	for (int i = 0; i < 3; i++) {
		state = next[state * 5 + class_of[c[i]]];
		if (state < 0)
			return 2;
	}
	if (state != 3)
		return 3;
	switch (class_of[c[3]]) {
	case SPACE: break;
	default: return 4;
	}
	if (weights[c[4] & 7] * weights[c[5] & 7] != 54)
		return 5;
	return weights[(c[0] - '5') * (1 << 24)];
}
