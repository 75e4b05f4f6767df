/* crash: argv "20 -30" */
/* tests: argv "50 -20" | argv "10 5 -15" | argv "1 2 3 4 5 6" | argv "9 0 -9" */
/* A ledger: the number of entries is kept right, the balance is not. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 4

static int entries[MOST];
static int used, balance;

static int newest(void)
{
	assert(used >= 0 && used <= MOST); /* FALSE: assert; a global invariant */
	return used > 0 ? entries[used - 1] : 0;
}

static int enter(int amount)
{
	if (used < 0 || used >= MOST || amount == newest())
		return 0;
	entries[used++] = amount;
	return 1;
}

static void withdraw(int amount)
{
	balance -= amount;
	assert(balance >= 0); /* TRUE: assert */
}

static void process(int amount)
{
	if (amount < -1000 || amount > 1000 || !enter(amount))
		return;
	if (amount < 0)
		withdraw(-amount);
	else
		balance += amount;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		process(atoi(argv[i]));
	printf("%d, last %d\n", balance, newest());
	return 0;
}
