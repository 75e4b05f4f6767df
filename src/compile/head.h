/* The head of a block or of a stretch of blocks: where the concrete side looks at what comes behind it. It can look only at addresses that it can
 * compute, ahead of the program, and only as long as nothing has changed what it would see. */
#ifndef TANDEM_COMPILE_HEAD_H
#define TANDEM_COMPILE_HEAD_H

#include "compile/weave.h"

struct head {
	int number;
	Block block;
	Value before;           /* there: looks go in front of this */
	struct ptrmap copies;   /* of address computations */
	Value pointers[TD_ASK_POINTERS];
	unsigned pointer_count, look_count;
};

/* Of the values computed since a head: which it cannot compute ahead of the program. */
struct level {
	struct head *head;
	struct ptrmap home, late; /* value -> number of the head behind which it is computed; for which it comes late */
	bool changed;             /* something has been called since */
};

struct heads { LIST(struct head *) list; }; /* of a function */

struct head *head_make(struct heads *all, Block block);
void heads_free(struct heads *all);
void head_begin(struct level *l, struct head *head);
void head_follow(struct level *l, Value i, Block here);    /* can the head compute it? */
bool head_is_ended_by(Value i);                            /* shadows of memory, or objects, may be others behind it */
bool head_look(struct unit *u, struct level *l, const struct look *k); /* lets the head look at an access, if it can */

#endif
