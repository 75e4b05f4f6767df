/* One process for many runs: at its end a run is undone, and the next one begins where it had begun. */
#ifndef TANDEM_RUNTIME_REWIND_H
#define TANDEM_RUNTIME_REWIND_H

#include "state.h"

/* Returns true at the beginning of every run: now, and whenever the other end of the socket says TD_MSG_RUN. That end is told of each run
 * that has ended and was undone (TD_MSG_ENDED, the exit status). If it cannot be undone, the process ends as it would have; if it is
 * about to do what might not be, with SIGSYS. While it waits it is
 * told to stay on the processor of the server's last message. false: not here; this process is good for one run, as any other. */
TD_HIDDEN bool rewind_begin(int socket, int32_t processor, void (*stay_on)(int32_t processor));

#endif
