/* What the instrumenter is told: by the user to tandem-cc, and by tandem-cc, in the same words, to it. */
#ifndef TANDEM_COMPILE_OPTIONS_H
#define TANDEM_COMPILE_OPTIONS_H

#include <stdbool.h>

struct unit_options {
	bool models;       /* compiling libc models: names __td_m_X stand for X, sites are hidden */
	bool checks_signed; /* overflow of signed numbers is an error */
	bool wraps;        /* -fwrapv: and the front end does not say which those are */
	bool marks_all;    /* each edge has a mark of its own, also those that others tell of */
	bool verify;       /* run LLVM's verifier after each stage */
	const char *root;  /* of the source tree; NULL: to be found */
	const char *dump;  /* write the instrumented IR as text here */
};

/* Is this word for the instrumenter? Then it is obeyed. */
bool options_take(struct unit_options *o, const char *word);

#endif
