package org.berth.hostile;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ReusedPid;

/**
 * Real jobs next to a hostile user, hostile peers and a hostile JVM: SECONDS SEED JSON FOLDER, called by {@code tools/hostile}.
 * FOLDER has the sanitized programs, and the class paths of the tests of Spark's shuffle and of the fuzzers in Java.
 */
final class Hostile {
    private static final int FUZZER_SECONDS = 60;
    /** The row with the leases. */
    private static final int LEASES = 5;

    private final Path folder;
    private final long seed;
    private final int seconds;
    private final PrintWriter log;
    private final Ports ports;
    private final List<Row> rows = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Process> hostile = new ArrayList<>();
    private volatile boolean over;
    /** Preparations do not count. */
    private volatile long endNanos;

    /** What makes work that is closed by its thread. */
    private interface Maker {
        Work make() throws Exception;
    }

    private Hostile(int seconds, long seed, Path folder) throws Exception {
        this.folder = folder;
        this.seed = seed;
        this.seconds = seconds;
        this.log = new PrintWriter(folder.resolve("log").toFile(), StandardCharsets.UTF_8);
        this.ports = new Ports(folder.resolve("ports"));
    }

    public static void main(String[] arguments) {
        int seconds = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        int code = 2;
        try {
            Hostile run = new Hostile(seconds, seed, Path.of(arguments[3]));
            code = run.run(arguments[2].equals("json")) ? 0 : 1;
        } catch (Exception | AssertionError e) {
            say("cannot run: " + e);
            e.printStackTrace();
        }
        System.out.flush();
        endAll(Path.of(arguments[3]));
        // Threads of Hadoop live on.
        Runtime.getRuntime().halt(code);
    }

    private boolean run(boolean json) throws Exception {
        // Ctrl-C: nothing that was started here stays behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            over = true;
            endAll(folder);
        }));
        say("seed " + seed + ", " + seconds + " s, log " + folder.resolve("log"));
        HdfsWork hdfs = new HdfsWork(folder.resolve("hdfs"), ports);
        LeaseWork leases = new LeaseWork(folder.resolve("leases"), NativeLibrary.launcher(), seed);
        int turn = Math.max(5, Math.min(FUZZER_SECONDS, seconds / 4));
        boolean user = isRoot();
        prepare(hdfs, leases, user, turn);
        if (user) {
            startUser();
        }
        hostile.add(ChildJvm.of(HostilePeers.class, ports.file().toString(), Long.toString(seed))
                .with("-Xmx256m", "-XX:TieredStopAtLevel=1")
                .builder()
                .redirectOutput(folder.resolve("peers.out").toFile())
                .redirectErrorStream(true)
                .start());
        endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        threads.forEach(Thread::start);
        supervise();
        over = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(FUZZER_SECONDS + 120));
        }
        rows.forEach(Row::isHung);
        hostile.forEach(one -> {
            List<ProcessHandle> children = one.descendants().toList();
            one.destroyForcibly().onExit().join();
            children.forEach(ProcessHandle::destroyForcibly);
        });
        removePlanted();
        leases.requireAfterwards(rows.get(LEASES));
        hdfs.close();
        print(json);
        return rows.stream().allMatch(Row::isGood);
    }

    /** Until none is found: a thread or a child may start one meanwhile, and who has lost its parent is no descendant. */
    static void endAll(Path folder) {
        long self = ProcessHandle.current().pid();
        for (int quiet = 0, turns = 0; quiet < 3 && turns < 100; turns++) {
            List<ProcessHandle> found = Stream.concat(
                            ProcessHandle.current().descendants(),
                            ProcessHandle.allProcesses()
                                    .filter(one -> one.info()
                                            .commandLine()
                                            .filter(line -> line.contains(folder + "/classes/")
                                                    || line.contains(folder + "/sanitized/"))
                                            .isPresent()))
                    .filter(one -> one.pid() != self)
                    .distinct()
                    .toList();
            found.forEach(ProcessHandle::destroyForcibly);
            quiet = found.isEmpty() ? quiet + 1 : 0;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private void prepare(HdfsWork hdfs, LeaseWork leases, boolean user, int turn) throws Exception {
        row("HDFS: write, read, checksums", "hostile peers", () -> hdfs.files(seed));
        row("RPC to the NameNode", "hostile peers", () -> hdfs.calls(seed));
        row(
                "messages of the transport, SIGKILL",
                "hostile peers",
                () -> new EchoWork(folder.resolve("echo"), ports, seed));
        row("Spark: sort and group", "hostile peers", () -> {
            String classPath =
                    Files.readString(folder.resolve("spark.classpath")).strip();
            return new SparkWork(Files.createDirectories(folder.resolve("spark")), classPath, ports);
        });
        row("MapReduce: word count", "all others", () -> new MapReduceWork(folder.resolve("mapreduce"), "pu", seed));
        row("exclusive CPUs, SIGKILL", user ? "a hostile user" : "each other", () -> leases);
        row("bind, unbind", "a hostile JVM", () -> new BindWork(folder.resolve("records"), seed));
        if (ReusedPid.isPossible()) {
            row("bind, unbind, widen", "reused PIDs", () -> new ReuseWork(folder.resolve("records-of-reuse"), seed));
        }
        row(
                "berth doctor",
                "a JVM that lies",
                () -> new QuestionWork(
                        folder.resolve("doctor.out"),
                        Files.readString(folder.resolve("cli.classpath")).strip(),
                        seed));
        row("leases, in C", "a hostile user", () -> program("hostile", "BERTH_HOSTILE_SECONDS", turn));
        row("parsers in C", "mutated texts", () -> program("parsers_fuzz", "BERTH_FUZZ_SECONDS", turn));
        row("parsers in Java, connections", "mutated texts and peers", () -> fuzzers(turn));
    }

    private CommandWork program(String name, String variable, int turn) {
        return new CommandWork(
                folder.resolve(name + ".out"),
                Map.of(variable, Integer.toString(turn)),
                List.of("nice", folder.resolve("sanitized/test-" + name).toString()));
    }

    private CommandWork fuzzers(int turn) throws IOException {
        List<String> command = new ArrayList<>(List.of("nice"));
        command.addAll(ChildJvm.of(
                        Fuzzers.class, "org.berth.transport.MutatedPeersTest", "org.berth.fuzz.MutatedTextsTest")
                .with("-Xmx512m", "-Dberth.fuzz.seconds=" + turn / 2)
                .classPath(Files.readString(folder.resolve("fuzzers.classpath")).strip())
                .command());
        return new CommandWork(folder.resolve("fuzzers.out"), Map.of(), command);
    }

    private static boolean isRoot() throws IOException {
        return Files.getOwner(Path.of("/proc/self")).getName().equals("root");
    }

    /** Root alone may become another user. */
    private void startUser() throws IOException {
        hostile.add(new ProcessBuilder(
                        "setpriv",
                        "--reuid=nobody",
                        "--regid=nogroup",
                        "--clear-groups",
                        "bash",
                        "-s",
                        folder.resolve("leases").toString(),
                        Long.toString(seed % 32768))
                .redirectInput(script())
                .redirectOutput(folder.resolve("user.out").toFile())
                .redirectErrorStream(true)
                .start());
    }

    private File script() throws IOException {
        Path script = folder.resolve("hostile-user");
        try (InputStream from = Objects.requireNonNull(Hostile.class.getResourceAsStream("/hostile-user"))) {
            Files.copy(from, script);
        }
        return script.toFile();
    }

    /** What the user left behind would be in the way of exclusive leases, as the documentation says. */
    private void removePlanted() throws Exception {
        new ProcessBuilder("find", folder.resolve("leases").toString(), "-user", "nobody", "-delete")
                .start()
                .waitFor();
    }

    private Row row(String name, String beside, Maker maker) throws Exception {
        say("preparing: " + name);
        Work work = maker.make();
        // Programs of fuzzers run with what the others leave of the CPUs.
        long patience = work instanceof CommandWork ? Row.HUNG_PROGRAM_NANOS : Row.HUNG_NANOS;
        Row row = new Row(name, beside, patience, log);
        rows.add(row);
        Thread thread = new Thread(() -> repeat(row, work), "hostile " + name);
        thread.setDaemon(true);
        threads.add(thread);
        return row;
    }

    private void repeat(Row row, Work work) {
        try (work) {
            while (!over && System.nanoTime() < endNanos) {
                row.begins();
                try {
                    work.once(row);
                } catch (Exception | AssertionError e) {
                    row.lost(e);
                    Thread.sleep(1000);
                }
                row.ends();
            }
        } catch (Exception | AssertionError e) {
            row.lost(e);
        }
    }

    /** A line a minute, and the stacks of what hangs. */
    private void supervise() throws InterruptedException {
        long next = System.nanoTime();
        while (System.nanoTime() < endNanos || (threads.stream().anyMatch(Thread::isAlive) && !over)) {
            for (Row row : rows) {
                if (row.isHung()) {
                    say(row.name + " hangs");
                    Thread.getAllStackTraces().forEach((thread, frames) -> {
                        log.println(thread.getName());
                        for (StackTraceElement frame : frames) {
                            log.println("    " + frame);
                        }
                    });
                    log.flush();
                    over = System.nanoTime() > endNanos;
                }
            }
            if (System.nanoTime() > next) {
                next += Duration.ofSeconds(30).toNanos();
                say(rows.stream()
                        .map(row -> row.name + " " + row.runs + (row.isGood() || row.runs.get() == 0 ? "" : " BAD"))
                        .collect(Collectors.joining("; ")));
            }
            Thread.sleep(200);
        }
    }

    private void print(boolean json) {
        if (json) {
            System.out.println("{\"seed\":" + seed + ",\"seconds\":" + seconds + ",\"rows\":["
                    + rows.stream().map(Row::json).collect(Collectors.joining(",")) + "]}");
            return;
        }
        System.out.println("| work | next to | runs | refused | lost | wrong | escaped | hung |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
        rows.forEach(row -> System.out.println(row.markdown()));
        System.out.println("\n" + seconds + " seconds, seed " + seed);
    }

    private static void say(String line) {
        System.err.println("hostile: " + line);
    }
}
