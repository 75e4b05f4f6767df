/* The other file of globals.c: variables it declares, some defined in both. */
int other_numbers[4] = { 10, 20, 30, 40 };
const char *const other_names[] = { "north", "south", 0 };
int shared_common[3];
int weak_here = 2;           /* the other one is weak */
int weak_both __attribute__((weak)) = 4;
int set_b __attribute__((section("numbers"), used)) = 200;
int set_c __attribute__((section("numbers"), used)) = 300;
_Thread_local int other_thread = 9;
static const char *const none_uses_it = "dead";
const char *const *other_dead = &none_uses_it;
const char *other_literal(void) { return "same in both"; }
