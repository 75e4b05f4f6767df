/* What a function takes, in terms of C, for whoever makes inputs for it. Debug information about parameters goes with the code that uses them, and an optimiser leaves little of that; so the type of every function is kept under
 * a name of its own, a typedef (TD_TYPE). Names of parameters are no part of the type. */
#ifndef TANDEM_COMPILE_SIGNATURE_H
#define TANDEM_COMPILE_SIGNATURE_H

#include "compile/unit.h"

/* Of the raw IR. Those of functions without debug information are left out. */
void signature_keep(struct unit *u);

/* Appended to names, with blanks between. */
void signature_names(Value function, char *names, size_t room);

#endif
