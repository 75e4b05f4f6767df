/* crash: argv "rqr" */
/* tests: argv "r" | argv "rrq" | argv "rxq" | argv "q" */
/* A command ends a session and frees its buffer; a later command still uses it. */
#include <stdio.h>
#include <stdlib.h>

struct session {
	unsigned *level;
	int open;
};

static int start(struct session *session)
{
	session->level = calloc(1, sizeof(*session->level));
	session->open = session->level != NULL;
	return session->open;
}

static void finish(struct session *session)
{
	if (session->open)
		free(session->level);
	session->open = 0;
}

static unsigned run(struct session *session, const char *commands)
{
	unsigned done = 0;

	for (; *commands != '\0'; commands++) {
		if (*commands == 'q')
			finish(session);
		else if (*commands == 'r')
			*session->level += 1; /* TRUE: free */
		else
			done++;
	}
	return done;
}

int main(int argc, char **argv)
{
	struct session session;

	if (argc < 2 || !start(&session))
		return 1;
	printf("%u skipped\n", run(&session, argv[1]));
	finish(&session);
	return 0;
}
