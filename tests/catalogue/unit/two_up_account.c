/* crash: none */
/* tests: argv "7" | argv "12" | argv "30" | argv "5" */
/* A pointer that may be NULL is checked two levels above where it is used. */
#include <stdio.h>
#include <stdlib.h>

struct account {
	int id, balance;
};

static const struct account accounts[3] = {{7, 150}, {12, -20}, {30, 0}};

static const struct account *find(int id)
{
	for (int i = 0; i < 3; i++)
		if (accounts[i].id == id)
			return &accounts[i];
	return NULL;
}

static int balance_of(const struct account *account)
{
	return account->balance; /* FALSE: null; guarded two levels up */
}

static const char *describe(const struct account *account)
{
	return balance_of(account) < 0 ? "overdrawn" : "in credit";
}

static int print_account(const struct account *account)
{
	if (!account)
		return 1;
	puts(describe(account));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	return print_account(find(atoi(argv[1])));
}
