/* What functions without source do with their arguments. A letter per argument, the last one repeats:
 *   -  nothing that matters      r  reads it: its result depends on it     s  output only
 *   w  writes there              a  the size of an allocation              u  unknown: reads and writes
 */
#ifndef TANDEM_COMPILE_EFFECT_H
#define TANDEM_COMPILE_EFFECT_H

#include <stdbool.h>

struct effect {
	const char *name;
	const char *letters;
};

const struct effect *effect_of(const char *function); /* NULL: not a known library function */
char effect_letter(const struct effect *effect, unsigned argument);
bool effect_has_model(const char *function); /* calls go to __td_m_NAME in traced code */

#endif
