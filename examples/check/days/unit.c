/* A test of date_day alone. */
#undef NDEBUG
#include "date.h"

#include <assert.h>

int main(void)
{
	assert(date_day(2023, 1, 1) == 1);
	assert(date_day(2023, 12, 31) == 365);
	assert(date_day(2023, 0, 1) == 0);
	return 0;
}
