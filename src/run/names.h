/* Which files a process names, heard by a seccomp filter that stops each system call with a name in it and asks (contract/calls.def). Nobody is kept from anything here: between a look and the
 * call another thread may change the name. So it is no protection, only a record. */
#ifndef TANDEM_RUN_NAMES_H
#define TANDEM_RUN_NAMES_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

union notice { /* the kernel's structures may be longer than the header's */
	struct seccomp_notif ask;
	struct seccomp_notif_resp reply;
	char space[512];
};

/* What the process is about to do with what it names. */
enum name_use { NAME_LOOK, NAME_LIST, NAME_OPEN, NAME_OPEN_ABSOLUTE /* it was an absolute name */ };

/* An absolute path, as it was named; NAME_LIST: of a directory that was opened before, what is in it is asked for. The process waits meanwhile. */
typedef void names_visit(void *context, const char *path, enum name_use use);

/* Installs the filter in this process; its listener, or -1 and errno. */
int names_listen(void);
bool names_receive(int listener, union notice *n);
void names_let(int listener, uint64_t id);                       /* the call is made */
bool names_answer(int listener, uint64_t id, int64_t value, int error); /* it is not made, and returns this; false: nobody waits for it any more */
void names_of(const struct seccomp_notif *n, names_visit *visit, void *context);

#endif
