/**
 * Hadoop RPC over Berth's transport.
 *
 * <p>Hadoop loads an engine per protocol. A server of an engine here listens in two ways: with Hadoop's own sockets, for all
 * clients, and with the transport. A client asks over Hadoop's own connection, which authenticates it, for the transport's
 * port and a one-time token, and then calls over the transport; where that is not possible it uses Hadoop's own connection.
 * The classes {@code org.apache.hadoop.ipc.Berth*} need what only Hadoop's package sees; {@code org.berth.rpc.link} has what
 * does not.
 */
@NullMarked
package org.berth.rpc;

import org.jspecify.annotations.NullMarked;
