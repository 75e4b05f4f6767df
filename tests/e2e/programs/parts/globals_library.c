/* The library of globals_copied.c. */
int library_numbers[5] = { 1, 2, 3, 4, 5 };
int library_more[4] = { 6, 7, 8, 9 };
extern int library_alias[4] __attribute__((alias("library_more")));
char library_taken[8] = "library"; /* the program has one of that name, and another size */
int library_sum(void)
{
	int sum = library_taken[0];
	for (int i = 0; i < 5; i++)
		sum += library_numbers[i];
	return sum + library_alias[0];
}
const void *library_where(void) { return library_numbers; }
