/*
 * The CPU that handles the packets of a connection, by SO_INCOMING_CPU.
 * See https://man7.org/linux/man-pages/man7/socket.7.html; Linux 3.19 or later.
 */
#ifndef BERTH_SOCKET_CPU_H
#define BERTH_SOCKET_CPU_H

/* The CPU on which the kernel handled the last packet that came for a socket: that of the adapter's
 * queue, or the one that RPS handed it on to; of a connection to the same host, the sender's. Or
 * -errno: -ENODATA when no packet has come, -ENOPROTOOPT when the kernel is older, -EBADF,
 * -ENOTSOCK. */
int socket_incoming_cpu(int file);

#endif
