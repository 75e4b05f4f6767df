/* A smaller input that does the same. */
#ifndef TANDEM_ENGINE_MINIMISE_H
#define TANDEM_ENGINE_MINIMISE_H

#include "base/err.h"
#include "testcase/testcase.h"

enum minimise_verdict { MINIMISE_OTHER, MINIMISE_SAME, MINIMISE_LATE /* it did not end in time */ };

/* Does it do the same? False: that could not be found out, and all ends here. */
typedef bool minimise_try(void *context, const struct testcase *t, enum minimise_verdict *v, struct err *err);

struct minimise {
	const struct testcase *from;
	const struct testcase *parent; /* what it was made from: its bytes are preferred; NULL: nothing */
	minimise_try *try;
	void *context;
	unsigned runs_max;
	double seconds;                /* a backstop: where it strikes, the result depends on the machine */
	bool alike;                    /* it is to be as close to the parent as can be, not as small */
};

struct minimised {
	struct testcase input;         /* in the arena, or what it was */
	unsigned runs;
	bool late;                     /* the clock has ended it, or a run that did not end */
};

bool minimise_input(const struct minimise *m, struct minimised *out, struct arena *arena, struct err *err);

#endif
