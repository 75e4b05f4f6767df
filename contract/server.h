/* The fork server's protocol: small fixed messages over one SOCK_SEQPACKET socket.
 *
 *   runtime -> host   HELLO once, when start-up is over and nothing of the input was read
 *   host -> runtime   RUN: reset answer half of the header, rewind standard input, fork a child (value: the processor to do that on, plus 1;
 *                     0: any. The child may run on all that the server could when it began)
 *   host -> runtime   KILL: end the child of this run (a time-out)
 *   runtime -> host   ENDED (value: the wait status)
 *   host -> runtime   QUIT, or closing the socket: the server exits
 */
#ifndef TANDEM_CONTRACT_SERVER_H
#define TANDEM_CONTRACT_SERVER_H

#include <stdint.h>

enum td_server_message { TD_MSG_HELLO = 1, TD_MSG_RUN, TD_MSG_KILL, TD_MSG_ENDED, TD_MSG_QUIT };

struct td_message {
	uint32_t kind; /* enum td_server_message */
	int32_t value;
};

#endif
