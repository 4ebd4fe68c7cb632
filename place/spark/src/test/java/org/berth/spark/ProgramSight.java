package org.berth.spark;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.NettyRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.placement.MemoryMode;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;

/**
 * Prints what a program counts that is used first in a thread: {@code free}; in a {@code slot} of one CPU; or bound to such a CPU by a
 * {@code scope}, for which nothing holds the domain.
 */
@SuppressWarnings("try") // a scope is there to be closed
final class ProgramSight {
    private ProgramSight() {}

    public static void main(String[] arguments) throws Exception {
        List<String> program = Arrays.asList(arguments).subList(1, arguments.length);
        if (arguments[0].equals("free")) {
            show(program);
            return;
        }
        LocalMachine machine = LocalMachine.open();
        CpuSet one = CpuSet.of(machine.topology().allowedCpuSet().last());
        if (arguments[0].equals("scope")) {
            try (BoundScope scope = machine.binder().bindThread(one)) {
                show(program);
            }
            return;
        }
        try (SlotBinder slots = SlotBinder.of(machine.binder(), MemoryMode.LOCAL, List.of(Slot.of(0, one)))) {
            slots.bind();
            show(program);
            slots.release();
        }
    }

    private static void show(List<String> program) throws Exception {
        System.out.println("sees " + seen(program));
        System.out.println("mask " + mask());
    }

    private static String seen(List<String> program) throws Exception {
        List<String> rest = program.subList(1, program.size());
        return switch (program.get(0)) {
            case "pools" -> pools();
            case "netty" -> eventLoops();
            case "command" -> output(rest);
            case "duckdb" -> duckDbThreads();
            case "library" -> {
                System.load(rest.get(0));
                yield "" + libraryThreads();
            }
            case "broken-library" -> {
                try {
                    System.load(rest.get(0));
                    yield "a library";
                } catch (UnsatisfiedLinkError e) {
                    yield "an error";
                }
            }
            default -> throw new IllegalArgumentException(program.get(0));
        };
    }

    /** The common pool has one worker less than there are CPUs, and one at least. */
    private static String pools() {
        ForkJoinPool pool = new ForkJoinPool();
        String seen = ForkJoinPool.commonPool().getParallelism() + ", " + pool.getParallelism();
        pool.shutdown();
        return seen;
    }

    /** Of a library that the test compiles, in the words of jni.h. */
    private static native int libraryThreads();

    @SuppressWarnings("deprecation") // the successor came with Netty 4.2
    private static String eventLoops() {
        NioEventLoopGroup loops = new NioEventLoopGroup();
        String seen = NettyRuntime.availableProcessors() + ", " + loops.executorCount() + " event loops";
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        return seen;
    }

    private static String duckDbThreads() throws SQLException {
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement query = database.createStatement();
                ResultSet row = query.executeQuery("select current_setting('threads')")) {
            row.next();
            return row.getString(1);
        }
    }

    private static String output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replace('\n', ' ');
    }

    private static String mask() throws IOException {
        return Files.readString(Path.of("/proc/thread-self/status"))
                .replaceAll("(?s).*Cpus_allowed_list:\\s*(\\S+).*", "$1");
    }
}
