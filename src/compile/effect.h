/* What functions without source do with their arguments. A letter per argument, the last one repeats:
 *   -  no memory, or some that only the library looks into (a mutex); its value is fixed, as with all but s
 *   r  reads it: its result depends on it      z  likewise, a string (file names)      s  output only
 *   w  writes there, `written` bytes (0: to the end of the object)     a  the size of an allocation     u  unknown: reads and writes
 *   f  a block that is freed
 */
#ifndef TANDEM_COMPILE_EFFECT_H
#define TANDEM_COMPILE_EFFECT_H

#include "contract/slots.h"

#include <stdbool.h>
#include <stddef.h>

struct effect {
	const char *name;
	const char *letters;
	size_t written;
};

/* A library function without a model that reads input, and the argument that says from where, if it is a stream or a descriptor. */
struct unseen {
	const char *name;
	enum td_unseen from;
	unsigned argument;
};

const struct unseen *effect_unseen(const char *function); /* NULL: reads none */
const struct effect *effect_of(const char *function); /* NULL: not a known library function */
char effect_letter(const struct effect *effect, unsigned argument);
bool effect_has_model(const char *function); /* calls go to __td_m_NAME in traced code */
bool effect_models_result(const char *function); /* and if so, only where the result is used */

#endif
