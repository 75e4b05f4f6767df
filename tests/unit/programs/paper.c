/* For unit_profile.c and unit_scope.c. */
#include "../../e2e/unit/paper.c"
