package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;
import org.junit.jupiter.api.Test;

/** Every native function, with good and with bad arguments, in a JVM that checks the use of JNI. */
class JniCheckTest {
    @Test
    void theCheckOfTheJvmFindsNothing() throws IOException, InterruptedException {
        String results = JavaProcess.of(CallEverything.class).run();
        assertThat(results.lines()).hasSize(49);
        assertThat(results.lines())
                .contains(
                        "set of a null mask: " + -Errno.EINVAL,
                        "get into a null mask: " + -Errno.EINVAL,
                        "policy into a null mask: 0",
                        "leases of null: " + -Errno.EINVAL,
                        "claim in null: " + -Errno.EINVAL,
                        "directory into null: " + -Errno.EINVAL,
                        "directory without room: " + -Errno.ENOBUFS,
                        "set of an empty mask: " + -Errno.EINVAL,
                        "set of an empty word: " + -Errno.EINVAL,
                        "set of a dead thread: " + -Errno.ESRCH,
                        "get into no words: " + -Errno.EINVAL,
                        "get of a dead thread: " + -Errno.ESRCH,
                        "policy without nodes: " + -Errno.EINVAL,
                        "range at no address: " + -Errno.EFAULT,
                        "policy of a range at no address: " + -Errno.EFAULT,
                        "mapping of nothing: " + -Errno.EINVAL,
                        "mapping of less than nothing: " + -Errno.EINVAL,
                        "address of a heap buffer: 0",
                        "CPU of no channel: " + -Errno.EINVAL,
                        "CPU of a new channel: " + -Errno.ENODATA,
                        "CPU of a connection: 0",
                        "CPU of a closed channel: " + -Errno.EBADF);
    }

    /** Prints the result of every call. */
    static final class CallEverything {
        /** The largest possible thread id of Linux is 2^22. */
        private static final int DEAD = 1 << 22;

        private CallEverything() {}

        public static void main(String[] args) throws IOException {
            NativeLibrary.load();
            long[] words = new long[1024];
            int used = NativeBridge.getThreadCpus(0, words);
            say("get", used);
            say("set", NativeBridge.setThreadCpus(0, words));
            say("set by id", NativeBridge.setThreadCpus(NativeBridge.currentThreadId(), words));
            say("set of a word", NativeBridge.setThreadCpus(0, words[0]));
            say("set of an empty word", NativeBridge.setThreadCpus(0, 0L));
            say("set of a null mask", NativeBridge.setThreadCpus(0, absent()));
            say("set of an empty mask", NativeBridge.setThreadCpus(0, new long[0]));
            say("set of a dead thread", NativeBridge.setThreadCpus(DEAD, words));
            say("get into no words", NativeBridge.getThreadCpus(0, new long[0]));
            say("get of a dead thread", NativeBridge.getThreadCpus(DEAD, words));
            say("version", NativeBridge.version());
            say(
                    "id of the own thread",
                    NativeBridge.javaThreadId(Thread.currentThread()) - NativeBridge.currentThreadId());
            say("id of a thread that is not there", NativeBridge.javaThreadId(new Thread()));
            say("id of null", NativeBridge.javaThreadId(none()));
            say("cpu", Math.min(0, NativeBridge.currentCpu()));
            long[] nodes = new long[16];
            int mode = NativeBridge.getMemoryPolicy(nodes);
            say("policy", mode);
            say("policy set", NativeBridge.setMemoryPolicy(mode, nodes));
            say("policy without nodes", NativeBridge.setMemoryPolicy(2, new long[0]));
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            long address = NativeBridge.directBufferAddress(buffer);
            say("address", Long.compareUnsigned(address, 0));
            say("address of a heap buffer", NativeBridge.directBufferAddress(ByteBuffer.allocate(8)));
            say("range", Math.min(0, NativeBridge.bindRange(address, 1 << 20, 0, new long[0], 0)));
            say("range at no address", NativeBridge.bindRange(1 << 16, 1 << 16, 0, new long[0], 0));
            int[] pages = new int[300];
            say("pages", Math.min(0, NativeBridge.rangeNodes(address, 1 << 20, pages)));
            say("pages without room", Math.max(-1, NativeBridge.rangeNodes(address, 1 << 20, new int[0])));
            say("policy of a range", Math.min(0, NativeBridge.rangePolicy(address, 1 << 20, nodes)));
            say("policy of a range at no address", NativeBridge.rangePolicy(1 << 16, 1 << 16, nodes));
            say("policy of no range", NativeBridge.rangePolicy(address, -1, nodes));
            long mapped = NativeBridge.mapMemory(1 << 20);
            say("mapping", Math.min(0, mapped));
            say("mapping of nothing", NativeBridge.mapMemory(0));
            say("mapping of less than nothing", NativeBridge.mapMemory(-1));
            ByteBuffer over = NativeBridge.bufferOver(mapped, 1 << 20);
            say("buffer", over == null ? -1 : over.put(0, (byte) 1).capacity());
            say("unmapping", NativeBridge.unmapMemory(mapped, 1 << 20));
            say("unmapping less than nothing", NativeBridge.unmapMemory(mapped, -1));
            say("page", Math.min(0, NativeBridge.pageBytes()));
            say("migration", Math.min(0, NativeBridge.migratePages(0, new long[] {1}, new long[] {1})));
            sayOfChannels();
            byte[] reply = new byte[4096];
            say("get into a null mask", NativeBridge.getThreadCpus(0, absent()));
            NativeBridge.setMemoryPolicy(0, new long[0]);
            say("policy into a null mask", NativeBridge.getMemoryPolicy(absent()));
            say("leases of null", NativeBridge.listLeases(noBytes(), reply));
            say("claim in null", NativeBridge.claimLease(noBytes(), "", false, noBytes(), reply));
            say("directory", Math.min(0, NativeBridge.leaseDirectory(reply)));
            say("directory into null", NativeBridge.leaseDirectory(noBytes()));
            say("directory without room", NativeBridge.leaseDirectory(new byte[0]));
            say("status", Math.min(0, NativeBridge.agentCommand("status", reply)));
            say("status without room", NativeBridge.agentCommand("status", new byte[0]));
            say("nonsense", NativeBridge.agentCommand("nonsense", reply));
        }

        private static void sayOfChannels() throws IOException {
            SocketChannel client = SocketChannel.open();
            try (ServerSocketChannel server = ServerSocketChannel.open()
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    client) {
                say("CPU of no channel", NativeBridge.incomingCpu(noChannel()));
                say("CPU of a new channel", NativeBridge.incomingCpu(client));
                client.connect(server.getLocalAddress());
                try (SocketChannel accepted = server.accept()) {
                    client.write(ByteBuffer.allocate(1));
                    accepted.read(ByteBuffer.allocate(1));
                    say("CPU of a connection", Math.min(0, NativeBridge.incomingCpu(accepted)));
                }
            }
            say("CPU of a closed channel", NativeBridge.incomingCpu(client));
        }

        /** Null, which the types do not allow but a caller may still give. */
        @SuppressWarnings("NullAway")
        private static long[] absent() {
            return null;
        }

        @SuppressWarnings("NullAway")
        private static byte[] noBytes() {
            return null;
        }

        @SuppressWarnings("NullAway")
        private static SocketChannel noChannel() {
            return null;
        }

        @SuppressWarnings("NullAway")
        private static Thread none() {
            return null;
        }

        private static void say(String call, long result) {
            System.out.println(call + ": " + result);
        }
    }
}
