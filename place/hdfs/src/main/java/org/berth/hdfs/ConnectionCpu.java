package org.berth.hdfs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.SocketInputStream;
import org.apache.hadoop.util.Daemon;
import org.berth.binding.Binder;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.jvm.FailureText;
import org.jspecify.annotations.Nullable;

/**
 * Finds the CPU that handles the packets of the connection that the calling DataXceiver thread serves: of an adapter with many
 * queues, that of the one queue which the connection has. Thread-safe.
 *
 * <p>No hook of Hadoop shows the connection. It is a field of the thread's Runnable, and has the same name in 3.4 and 3.5; where
 * it is missing, one line tells, and the adapter's set of CPUs counts.
 */
final class ConnectionCpu {
    private static final String XCEIVER = "org.apache.hadoop.hdfs.server.datanode.DataXceiver";
    private static final String FIELD = "peer";

    private final Connections asked;
    private final Binder binder;
    private final @Nullable MethodHandle peerOf;
    private final String reason;
    private volatile boolean refused;

    private ConnectionCpu(Connections asked, Binder binder, @Nullable MethodHandle peerOf, String reason) {
        this.asked = asked;
        this.binder = binder;
        this.peerOf = peerOf;
        this.reason = reason;
    }

    /** Finds out once whether this Hadoop has the field; {@link #reason} has the reason if not. */
    static ConnectionCpu of(Connections asked, Binder binder) {
        if (asked == Connections.NONE) {
            return new ConnectionCpu(asked, binder, null, "");
        }
        try {
            Field field = Class.forName(XCEIVER, false, DataNode.class.getClassLoader())
                    .getDeclaredField(FIELD);
            field.setAccessible(true);
            return new ConnectionCpu(asked, binder, MethodHandles.lookup().unreflectGetter(field), "");
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            return new ConnectionCpu(
                    asked,
                    binder,
                    null,
                    "connections are not told apart: this Hadoop's " + XCEIVER + " has no field " + FIELD
                            + " that can be" + " read (" + FailureText.of(unknown)
                            + "); all CPUs of the network adapter count");
        }
    }

    /** The reason why connections are not told apart, one line; empty when they are. */
    String reason() {
        return reason;
    }

    /** The CPU of the calling thread's connection; empty where the adapter's set of CPUs counts. */
    OptionalInt ofCallingThread(HdfsFailures failures) {
        if (peerOf == null || refused) {
            return OptionalInt.empty();
        }
        Optional<SocketChannel> channel = channel(peerOf);
        if (channel.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return binder.incomingCpu(channel.get());
        } catch (BindingException e) {
            // A connection that was closed meanwhile is no reason to stop asking.
            refused = channel.get().isOpen();
            if (refused) {
                failures.tellOnce(FailureText.of(e) + "; all CPUs of the network adapter count");
            }
            return OptionalInt.empty();
        }
    }

    private Optional<SocketChannel> channel(MethodHandle getter) {
        Peer peer;
        try {
            peer = Thread.currentThread() instanceof Daemon daemon ? (Peer) getter.invoke(daemon.getRunnable()) : null;
        } catch (Error e) {
            throw e;
        } catch (Throwable otherThread) { // of another class than DataXceiver
            return Optional.empty();
        }
        // A Unix domain socket, a connection that was handed over, or one of this host: no adapter takes part.
        if (peer == null || peer.getDomainSocket() != null || (asked == Connections.REMOTE && peer.isLocal())) {
            return Optional.empty();
        }
        ReadableByteChannel in = peer.getInputStreamChannel();
        ReadableByteChannel inner = in instanceof SocketInputStream stream ? stream.getChannel() : in;
        return inner instanceof SocketChannel channel ? Optional.of(channel) : Optional.empty();
    }
}
