package org.berth.hostile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/**
 * How long calls, messages and shuffles take next to hostile peers: SECONDS SEED FORM FOLDER CPU. The peers have that CPU for
 * themselves, and all else the CPU of this process. Three arms take turns in an order drawn by lot: nobody is attacked, a
 * {@link Sink} is, which has the CPU of the victim, or the victim.
 */
final class Latency {
    private static final long SETTLE_MILLIS = 4000;
    private static final long MEASURE_MILLIS = 15_000;
    private static final int ARMS = Arm.values().length;
    private static final int VICTIMS = 3;

    private enum Arm {
        NOBODY("nobody is attacked"),
        SINK("a server that does nothing"),
        VICTIM("the victim");

        private final String words;

        Arm(String words) {
            this.words = words;
        }
    }

    private final Random random;
    private final int rounds;
    private final Ports ports;
    private final int sink;

    private Latency(int seconds, long seed, Ports ports, int sink) {
        this.random = new Random(seed);
        this.rounds = (int) Math.max(
                1, TimeUnit.SECONDS.toMillis(seconds) / ((long) VICTIMS * ARMS * (SETTLE_MILLIS + MEASURE_MILLIS)));
        this.ports = ports;
        this.sink = sink;
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        Path folder = Path.of(arguments[3]);
        int code = 2;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Hostile.endAll(folder)));
        Ports ports = new Ports(folder.resolve("ports"));
        ProcessBuilder peers = ChildJvm.of(HostilePeers.class, ports.file().toString(), Long.toString(seed))
                .with("-Xmx256m", "-XX:TieredStopAtLevel=1")
                .under("taskset", "-c", arguments[4])
                .builder()
                .redirectOutput(folder.resolve("peers.out").toFile())
                .redirectError(folder.resolve("peers.err").toFile());
        try (Child sink = ChildJvm.of(Sink.class).start();
                Child attackers = Child.start(peers)) {
            Latency latency = new Latency(seconds, seed, ports, Integer.parseInt(sink.readLine()));
            System.out.println(
                    "| what | attacked | answers | median | p99 | longest | p99 to that of nobody, in rounds |");
            System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
            try (EchoVictim echo = new EchoVictim(folder.resolve("echo"), ports, seed)) {
                latency.measure(echo);
            }
            HdfsWork hdfs = new HdfsWork(folder.resolve("hdfs"), ports);
            try (Victim calls = hdfs.victim()) {
                latency.measure(calls);
            }
            hdfs.close();
            Path spark = folder.resolve("spark.classpath");
            if (Files.exists(spark)) {
                String classPath = Files.readString(spark).strip();
                try (Victim shuffle =
                        new SparkWork(Files.createDirectories(folder.resolve("spark")), classPath, ports).victim()) {
                    latency.measure(shuffle);
                }
            } else {
                System.err.println("hostile: Spark is left out, as " + spark + " is missing");
            }
            System.out.println("\n" + latency.rounds + " rounds, seed " + seed);
            code = attackers.isAlive() ? 0 : 2;
        } catch (Exception | AssertionError e) {
            System.err.println("hostile: cannot run: " + e);
            e.printStackTrace();
        }
        System.out.flush();
        Hostile.endAll(folder);
        // Threads of Hadoop live on.
        Runtime.getRuntime().halt(code);
    }

    private void measure(Victim victim) throws Exception {
        System.err.println("hostile: " + victim.name() + ", " + rounds + " rounds of " + ARMS + " times "
                + TimeUnit.MILLISECONDS.toSeconds(SETTLE_MILLIS + MEASURE_MILLIS) + " s");
        // Compiled code.
        ask(victim, MEASURE_MILLIS);
        Map<Arm, List<long[]>> taken = new EnumMap<>(Arm.class);
        for (int round = 0; round < rounds; round++) {
            List<Arm> order = new ArrayList<>(List.of(Arm.values()));
            Collections.shuffle(order, random);
            for (Arm arm : order) {
                switch (arm) {
                    case NOBODY -> ports.only();
                    case SINK -> ports.only(sink);
                    case VICTIM -> victim.attack();
                }
                Thread.sleep(SETTLE_MILLIS);
                taken.computeIfAbsent(arm, key -> new ArrayList<>()).add(ask(victim, MEASURE_MILLIS));
            }
        }
        ports.only();
        List<long[]> undisturbed = Objects.requireNonNull(taken.get(Arm.NOBODY), "it is one of the arms");
        taken.forEach((arm, samples) -> System.out.println(row(victim, arm, samples, undisturbed)));
    }

    private static long[] ask(Victim victim, long millis) throws Exception {
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            victim.ask();
            nanos.add(System.nanoTime() - began);
            Thread.sleep(victim.pauseMillis());
        }
        return nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static String row(Victim victim, Arm arm, List<long[]> rounds, List<long[]> undisturbed) {
        long[] all = pooled(rounds);
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = (double) quantile(rounds.get(i), 0.99) / quantile(undisturbed.get(i), 0.99);
        }
        Arrays.sort(ratios);
        return String.format(
                "| %s | %s | %d | %.2f ms | %.2f ms | %.1f ms | %.2f (%.2f-%.2f) |",
                victim.name(),
                arm.words,
                all.length,
                quantile(all, 0.5) / 1e6,
                quantile(all, 0.99) / 1e6,
                all[all.length - 1] / 1e6,
                (double) quantile(all, 0.99) / quantile(pooled(undisturbed), 0.99),
                ratios[0],
                ratios[ratios.length - 1]);
    }

    private static long[] pooled(List<long[]> rounds) {
        return rounds.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }

    private static long quantile(long[] sorted, double part) {
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
    }
}
