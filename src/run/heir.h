/* A second process that has a copy of every listener: when the recorder is gone, however that happened, it lets all calls through as long as there is anybody to make them. What the recorder had been asked
 * and not answered is in memory that they share. It also has the links to those who were told to go on, and have a filter before anybody else has its listener. */
#ifndef TANDEM_RUN_HEIR_H
#define TANDEM_RUN_HEIR_H

#include "contract/suite.h"
#include "run/names.h"

#include <stdbool.h>

struct err;

#define HEIR_READERS 1024 /* that wait for their standard input at a time; more are let through */

/* Of a process, or of several that share it. Its serial number is the same for the heir. */
struct listener {
	int fd;
	uint32_t serial;
};

struct question {
	uint32_t serial; /* of the listener; 0: none */
	uint64_t id;
};

/* What was asked and not answered yet. */
struct will {
	uint32_t serial; /* that the notice came from, or will */
	union notice notice;
	struct question readers[HEIR_READERS];
};

/* *heir: where it hears from us; when that is closed, in whatever way, it takes over. will: shared memory. */
bool heir_start(const struct will *will, int *heir, struct err *err);

/* A listener has the serial number of the link that it came by. */
enum heir_kind { HEIR_LINK, HEIR_LISTENER };
void heir_give(int heir, enum heir_kind kind, uint32_t serial, int fd);

/* What somebody who makes himself known says, and a descriptor that may come with it, or -1. flags: of recv. */
bool heir_receive(int from, int flags, struct td_suite_hello *hello, int *passed);

#endif
