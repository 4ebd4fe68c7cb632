package org.berth.numavm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** How a small JVM is started that says what it sees, and waits to be looked at. */
public record GuestJvm(List<String> prefix, List<String> options, Map<String, String> environment) {
    /** All of it touched at the start. */
    public static final long HEAP_BYTES = 64 << 20;

    /** The property with the number of threads that work a little and sleep a little, as long as the JVM lives. */
    public static final String WORKERS = "berth.guest.workers";

    /** The property with the longest time that such a thread works before it sleeps, in microseconds; 10 ms by default. */
    public static final String WORK_MICROS = "berth.guest.work.micros";

    /** A system property: the JVM reads lines "live N" and then has N MiB of objects, after a collection. */
    public static final String LIVE = "berth.guest.live";

    private static final String READY = "processors ";

    /** What is done with JVMs that all run. */
    public interface Look {
        void at(List<Running> jvms) throws Exception;
    }

    public static GuestJvm with(List<String> flags) {
        GuestJvm jvm = withoutHeap(flags);
        return jvm.option("-Xms" + HEAP_BYTES).option("-Xmx" + HEAP_BYTES).option("-XX:+AlwaysPreTouch");
    }

    /** A JVM with the heap that it chooses. */
    public static GuestJvm withoutHeap(List<String> flags) {
        List<String> options = new ArrayList<>(flags);
        // All threads from the start: otherwise their number depends on the moment.
        options.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:-UseDynamicNumberOfGCThreads",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-XX:+PrintFlagsFinal"));
        if (Runtime.version().feature() >= 25) {
            // Under TCG the parallel relocation of the archive spins for seconds.
            options.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTCacheParallelRelocation"));
        }
        return new GuestJvm(List.of(), options, Map.of());
    }

    public GuestJvm under(String... command) {
        return new GuestJvm(List.of(command), options, environment);
    }

    public GuestJvm option(String option) {
        List<String> all = new ArrayList<>(options);
        all.add(option);
        return new GuestJvm(prefix, all, environment);
    }

    /** The same with an option before all others. */
    public GuestJvm first(String option) {
        List<String> all = new ArrayList<>(List.of(option));
        all.addAll(options);
        return new GuestJvm(prefix, all, environment);
    }

    public GuestJvm environment(String name, String value) {
        return new GuestJvm(prefix, options, Map.of(name, value));
    }

    /** Whether a JVM that says this line waits to be looked at. */
    public static boolean isReady(String line) {
        return line.startsWith(READY);
    }

    /** Starts them at the same time, and ends them when they were looked at. */
    public static void together(List<GuestJvm> commands, Look look) throws Exception {
        List<Process> processes = new ArrayList<>();
        List<Running> jvms = new ArrayList<>();
        try {
            List<Path> errors = new ArrayList<>();
            for (GuestJvm command : commands) {
                errors.add(Files.createTempFile("berth", ".err"));
                processes.add(command.start(errors.get(errors.size() - 1)));
            }
            for (int i = 0; i < processes.size(); i++) {
                jvms.add(Running.read(processes.get(i), errors.get(i)));
            }
            look.at(jvms);
        } finally {
            for (Process process : processes) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** The jar or folder with these tests: a JVM that waits needs no other, and to open them all takes it a second. */
    public static String classes() {
        try {
            return Path.of(GuestJvm.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private Process start(Path errors) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(GuestJava.java());
        command.addAll(options);
        command.addAll(List.of("-cp", classes(), Waiting.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** One that runs: what it said, and where the kernel knows it. */
    public record Running(
            Process process, BufferedReader output, int processors, Map<String, String> flags, Path errors) {
        public long pid() {
            return process.pid();
        }

        /** Writes a line to it, and waits for its answer. */
        public void ask(String line) throws IOException {
            process.outputWriter().write(line + "\n");
            process.outputWriter().flush();
            if (output.readLine() == null) {
                throw new IOException("the JVM has ended: " + Files.readString(errors));
            }
        }

        /** Lines such as "  size_t MaxHeapSize = 67108864 {product} {command line}", then that it is ready. */
        private static Running read(Process process, Path errors) throws IOException {
            Map<String, String> flags = new LinkedHashMap<>();
            BufferedReader output = process.inputReader();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                int equals = line.indexOf('=');
                if (isReady(line)) {
                    return new Running(
                            process, output, Integer.parseInt(line.substring(READY.length())), flags, errors);
                }
                if (equals > 0) {
                    String[] words = line.substring(0, equals).strip().split("\\s+", -1);
                    flags.put(
                            words[words.length - 1],
                            line.substring(equals + 1).strip().split("  +", 2)[0]);
                }
            }
            throw new IOException("the JVM did not start: " + Files.readString(errors));
        }

        /** What the agent said. */
        public List<String> messages() throws IOException {
            return Files.readAllLines(errors).stream()
                    .filter(line -> line.startsWith("berth: "))
                    .toList();
        }
    }

    /** Says how many CPUs it sees, and waits to be looked at. */
    public static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws InterruptedException, IOException {
            for (int i = 0; i < Integer.getInteger(WORKERS, 0); i++) {
                int number = i;
                Thread worker = new Thread(() -> work(number), "worker-" + i);
                worker.setDaemon(true);
                worker.start();
            }
            System.out.println(READY + Runtime.getRuntime().availableProcessors());
            if (Boolean.getBoolean(LIVE)) {
                obey();
            }
            Thread.sleep(600_000);
        }

        /** Objects that no collector takes for large ones. */
        private static void obey() throws IOException {
            List<byte[]> alive = new ArrayList<>();
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                int count = 64 * Integer.parseInt(line.substring("live ".length()));
                while (alive.size() > count) {
                    alive.remove(alive.size() - 1);
                }
                while (alive.size() < count) {
                    alive.add(new byte[16 << 10]);
                }
                System.gc();
                System.out.println("lives " + alive.size());
            }
        }

        /** Wakes up again and again, each time where the kernel finds an idle CPU. */
        private static void work(int number) {
            SplittableRandom random = new SplittableRandom(number);
            long longest = 1000L * Integer.getInteger(WORK_MICROS, 10_000);
            try {
                while (true) {
                    long end = System.nanoTime() + random.nextLong(longest);
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    Thread.sleep(random.nextLong(5));
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Says that it runs, and does a little now and then. */
    public static final class Sleeping {
        private Sleeping() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("ready");
            for (int i = 0; i < 600_000; i++) {
                Thread.sleep(10);
            }
        }
    }
}
