/* A test of date_day for any month: without Tandem, of one. */
#undef NDEBUG
#include "date.h"

#include <assert.h>

#if __has_include(<tandem.h>)
#include <tandem.h>
#else
#define tandem_symbolic(memory, bytes, name) ((void)0)
#endif

int main(void)
{
	int month = 12;
	tandem_symbolic(&month, sizeof month, "month");
	int number = date_day(2023, month, 31);
	assert(number >= 0 && number <= 366);
	return 0;
}
