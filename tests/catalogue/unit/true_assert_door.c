/* crash: stdin "ol" */
/* tests: stdin "oc" | stdin "lu" | stdin "ocluo" | stdin "lulucl" */
/* A small state machine: a door that is open must not be locked, but it can be. */
#include <assert.h>
#include <stdio.h>

static struct door {
	int open, locked;
} door;

static void open_door(void)
{
	if (!door.locked)
		door.open = 1;
}

static void lock_door(void)
{
	assert(!door.open); /* TRUE: assert */
	door.locked = 1;
}

static void handle(int c)
{
	if (c == 'o')
		open_door();
	else if (c == 'c')
		door.open = 0;
	else if (c == 'l')
		lock_door();
	else if (c == 'u')
		door.locked = 0;
}

int main(void)
{
	int c;

	while ((c = getchar()) != EOF)
		handle(c);
	puts(door.open ? "open" : door.locked ? "locked" : "closed");
	return 0;
}
