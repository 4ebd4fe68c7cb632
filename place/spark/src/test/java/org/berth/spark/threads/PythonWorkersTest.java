package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.spark.PySparkTest;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes in the shape of PySpark's: a daemon started by the thread of a task, workers that it forks, each of them
 * connected to a thread that waits for it as Spark's does. {@link PySparkTest} is the same with PySpark, where it is there.
 */
@Tag("cluster")
@Timeout(120)
class PythonWorkersTest {
    /** Forks a worker for each argument; a worker says its pid and then sends it on every byte that it gets. */
    private static final String DAEMON = """
            import os, socket, sys
            workers = []
            for _ in range(2):
                if os.fork() == 0:
                    connection = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
                    while True:
                        connection.sendall(os.getpid().to_bytes(4, "big"))
                        if not connection.recv(1):
                            os._exit(0)
            sys.stdin.read()
            """;

    private final LocalMachine machine = LocalMachine.open();
    private final Binder binder = machine.binder();
    private final CpuSet allowed = machine.topology().allowedCpuSet();
    private CpuSet first = CpuSet.empty();
    private CpuSet second = CpuSet.empty();

    @TempDir
    private Path folder;

    /** One end of a connection, and which process is at the other. */
    private record Connection(SocketChannel channel, int pid) {}

    @BeforeEach
    void needTwoCpusAndPython() throws Exception {
        Machine.requireCpus(2);
        Tool.require("python3");
        first = CpuSet.of(allowed.first());
        second = CpuSet.of(allowed.minus(first).first());
    }

    @Test
    void workersFollowTheTasksThatWaitForThem() throws Exception {
        SparkServiceThreads threads = SparkServiceThreads.start(
                binder, machine.topology(), allowed, List.of(first, second), Set.of(), ServiceSettings.of(Map.of()));
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Process daemon = startBound(((InetSocketAddress) server.getLocalAddress()).getPort());
            try {
                threads.taskStarted();
                Connection one = connection(server);
                Connection other = connection(server);
                // Born on the CPU of the task that started the daemon.
                await(daemon.pid(), allowed);
                await(one.pid(), allowed);
                await(other.pid(), allowed);

                List<Task> tasks = List.of(new Task(one, first), new Task(other, second));
                await(one.pid(), first);
                await(other.pid(), second);
                assertThat(threads.bound())
                        .contains(
                                new SparkServiceThreads.BoundThread("python", "worker " + one.pid(), first),
                                new SparkServiceThreads.BoundThread("python", "daemon " + daemon.pid(), allowed));
                for (Task task : tasks) {
                    task.end();
                }
                // The same workers, used again by tasks elsewhere.
                tasks = List.of(new Task(one, second), new Task(other, first));
                await(one.pid(), second);
                await(other.pid(), first);
                for (Task task : tasks) {
                    task.end();
                }
                threads.close();
                assertThat(mask(one.pid())).isEqualTo(allowed.toString());
            } finally {
                daemon.descendants().forEach(ProcessHandle::destroyForcibly);
                daemon.destroyForcibly().waitFor();
            }
        }
    }

    private Process startBound(int port) throws Exception {
        Path script = Files.writeString(folder.resolve("daemon.py"), DAEMON);
        Process[] started = new Process[1];
        Thread task = new Thread(() -> {
            binder.setThreadCpusUnverified(first);
            try {
                started[0] = new ProcessBuilder("python3", script.toString(), "pyspark.daemon", Integer.toString(port))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        task.start();
        task.join();
        return started[0];
    }

    private static Connection connection(ServerSocketChannel server) throws IOException {
        SocketChannel channel = server.accept();
        ByteBuffer pid = ByteBuffer.allocate(Integer.BYTES);
        while (pid.hasRemaining()) {
            channel.read(pid);
        }
        return new Connection(channel, pid.getInt(0));
    }

    /** The thread of a task, bound, that waits for its worker in a selector until it ends. */
    private final class Task {
        private final Thread thread;
        private final Selector selector = Selector.open();

        Task(Connection worker, CpuSet cpus) throws IOException {
            worker.channel().configureBlocking(false);
            worker.channel().register(selector, SelectionKey.OP_READ);
            thread = new Thread(
                    () -> {
                        binder.setThreadCpusUnverified(cpus);
                        try {
                            selector.select();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    },
                    "Executor task launch worker for task 0.0 in stage 0.0 (TID 0)");
            thread.start();
        }

        void end() throws Exception {
            selector.wakeup();
            thread.join();
            selector.close();
        }
    }

    private static void await(long pid, CpuSet cpus) throws Exception {
        Await.until("process " + pid + " on " + cpus, () -> mask(pid), cpus.toString()::equals);
    }

    private static String mask(long pid) throws IOException {
        return ProcStatus.of(pid).cpus();
    }
}
