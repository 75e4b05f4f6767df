/* The fork server's protocol: small fixed messages over one SOCK_SEQPACKET socket.
 *
 *   runtime -> host   HELLO once, when start-up is over and nothing of the input was read
 *   host -> runtime   RUN: reset answer half of the header, rewind standard input, start a run (value: the processor to do that on, plus 1;
 *                     0: any. A child may run on all that the server could when it began)
 *   host -> runtime   RUN_FRESH: the same, in a process of its own; after RUN it may be one that was used before and put back to how it was
 *   host -> runtime   KILL: end the child of this run (a time-out)
 *   runtime -> host   ENDED (value: the wait status; forks: of the server's own, since the last message)
 *   runtime -> host   UNDONE, after RUN only: the same, and its process is as it was. It has started no other one
 *   runtime -> host   AGAIN, after RUN only: this run has to be had in a process of its own: it was about to do what cannot be undone, or has crashed
 *   host -> runtime   QUIT, or closing the socket: the server exits
 */
#ifndef TANDEM_CONTRACT_SERVER_H
#define TANDEM_CONTRACT_SERVER_H

#include <stdint.h>

enum td_server_message { TD_MSG_HELLO = 1, TD_MSG_RUN, TD_MSG_KILL, TD_MSG_ENDED, TD_MSG_QUIT, TD_MSG_RUN_FRESH, TD_MSG_UNDONE, TD_MSG_AGAIN };

enum { TD_SERVER_KEEPS = 8 }; /* descriptors, above those of a run */

struct td_message {
	uint32_t kind; /* enum td_server_message */
	int32_t value;
	uint32_t forks;
};

#endif
