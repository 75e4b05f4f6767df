/* Coverage: traced code writes down which side of every branch, switch and select of the source it takes, symbolic or not. */
#ifndef TANDEM_COMPILE_COVER_H
#define TANDEM_COMPILE_COVER_H

#include "compile/unit.h"

/* Before functions are inlined: a condition that becomes a constant there would take its branch along. */
void cover_hide(struct unit *u);

/* Of all traced functions, woven and inlined but not yet optimised: each branch is still the one of the source. */
void cover_mark(struct unit *u);

#endif
