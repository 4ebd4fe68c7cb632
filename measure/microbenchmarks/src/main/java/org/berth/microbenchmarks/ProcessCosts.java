package org.berth.microbenchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * What the first use of the library costs a JVM, next to its peers, and what the agent costs: at the start of the JVM and of each
 * thread, and while virtual threads switch. Whole JVMs,
 * the ones to compare within seconds of each other, forward and backward in turn; differences are taken inside a round.
 */
final class ProcessCosts {
    /** Name of this report on the command line. */
    static final String WORD = "processes";

    private static final int DEFAULT_ROUNDS = 20;

    private final String cpus;
    private final String nodes;
    private final Path library;
    private final AgentOptions options;
    /** On one CPU: nothing can move, and no thread is woken on another CPU, which costs ten times what is measured. */
    private final AgentOptions onOneCpu;

    private final int rounds;

    private ProcessCosts(Topology machine, Path library, int rounds) {
        this.cpus = machine.allowedCpuSet().toString();
        this.nodes = machine.allowedNodeSet().toString();
        this.library = library;
        this.options = bound(machine, machine.allowedCpuSet());
        this.onOneCpu = bound(machine, CpuSet.of(machine.allowedCpuSet().first()));
        this.rounds = rounds;
    }

    private static AgentOptions bound(Topology machine, CpuSet cpus) {
        return AgentOptions.ofCpus(cpus)
                .withMemory(MemoryMode.BIND, machine.allowedNodeSet())
                .strict();
    }

    static String markdown(int askedRounds) throws IOException, InterruptedException {
        ProcessCosts costs = new ProcessCosts(
                LocalMachine.open().topology(), NativeLibrary.file(), askedRounds > 0 ? askedRounds : DEFAULT_ROUNDS);
        StringBuilder table = new StringBuilder("""
                | what | JVM | median | less the first of its kind (quartiles) |
                |---|---|---:|---:|
                """);
        costs.start(table);
        costs.firstUse(table);
        costs.threads(table);
        if (Runtime.version().feature() >= 21) {
            costs.virtualThreads(table);
        }
        return table.toString();
    }

    /** Both bind CPUs and memory to all that there is, so that what comes after the binding is the same. */
    private void start(StringBuilder table) throws IOException, InterruptedException {
        Map<String, List<String>> arms = new LinkedHashMap<>();
        List<String> numactl = new ArrayList<>(List.of("numactl", "--physcpubind=" + cpus, "--membind=" + nodes));
        numactl.addAll(jvm(AgentOptions.none(), "nothing"));
        arms.put("under numactl", numactl);
        arms.put("with the agent, started again", jvm(options, "nothing"));
        arms.put("with the agent and its watch off", jvm(options.withoutGuard(), "nothing"));
        arms.put("alone", jvm(AgentOptions.none(), "nothing"));
        append(table, "start and end, ms", run(arms, rounds, true), 1e6);
    }

    /** A library is loaded once, but a short command or job waits for it. */
    private void firstUse(StringBuilder table) throws IOException, InterruptedException {
        Map<String, List<String>> arms = new LinkedHashMap<>();
        arms.put("nothing", jvm(AgentOptions.none(), "nothing"));
        arms.put("LocalMachine.open()", jvm(AgentOptions.none(), "machine"));
        arms.put("hwloc through LWJGL", jvm(AgentOptions.none(), "machine by LWJGL"));
        arms.put("LocalMachine.open() and a thread bound", jvm(AgentOptions.none(), "bind"));
        arms.put("a thread bound by OpenHFT affinity", jvm(AgentOptions.none(), "bind by OpenHFT"));
        append(table, "start, first use and end, ms", run(arms, rounds, true), 1e6);
    }

    private void threads(StringBuilder table) throws IOException, InterruptedException {
        Map<String, List<String>> arms = new LinkedHashMap<>();
        arms.put("bound, no rule", jvm(onOneCpu, "threads"));
        arms.put("a rule that does not match", jvm(onOneCpu.withRule("other-*"), "threads"));
        arms.put("a rule that binds and moves nothing", jvm(onOneCpu.withRule("bench-*->process"), "threads"));
        append(table, "thread start and join, µs", run(arms, Math.min(rounds, 10), false), 1e3);
    }

    private void virtualThreads(StringBuilder table) throws IOException, InterruptedException {
        Map<String, List<String>> arms = new LinkedHashMap<>();
        arms.put("alone", jvm(AgentOptions.none(), "virtual"));
        arms.put("bound, no rule", jvm(options, "virtual"));
        arms.put("bound, a rule", jvm(options.withRule("other-*"), "virtual"));
        append(table, "switch of a virtual thread, ns", run(arms, Math.min(rounds, 10), false), 1);
    }

    private List<String> jvm(AgentOptions agent, String work) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (!agent.isEmpty()) {
            command.add(agent.jvmOption(library));
        }
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-cp",
                System.getProperty("java.class.path"),
                CostSubject.class.getName(),
                work));
        return command;
    }

    /** Nanoseconds of every arm, one for each round: of the whole process, or what it measured itself. */
    private static Map<String, double[]> run(Map<String, List<String>> arms, int rounds, boolean whole)
            throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(arms.keySet());
        Map<String, double[]> nanos = new LinkedHashMap<>();
        names.forEach(name -> nanos.put(name, new double[rounds]));
        // One round that does not count: file caches.
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(round % 2 == 0 ? i : names.size() - 1 - i);
                double taken = once(Objects.requireNonNull(arms.get(name)), whole);
                if (round >= 0) {
                    Objects.requireNonNull(nanos.get(name))[round] = taken;
                }
            }
            System.err.printf("round %d of %d%n", round + 1, rounds);
        }
        return nanos;
    }

    private static double once(List<String> command, boolean whole) throws IOException, InterruptedException {
        long before = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        long taken = System.nanoTime() - before;
        if (code != 0 || (!whole && !output.matches("\\d+(\\.\\d+)?"))) {
            throw new IOException(String.join(" ", command) + " ended with " + code + ": " + output);
        }
        return whole ? taken : Double.parseDouble(output);
    }

    private static void append(StringBuilder table, String what, Map<String, double[]> nanos, double unit) {
        double[] first = nanos.values().iterator().next();
        nanos.forEach((name, taken) -> {
            double[] less = new double[taken.length];
            for (int i = 0; i < taken.length; i++) {
                less[i] = taken[i] - first[i];
            }
            String difference = Arrays.equals(taken, first)
                    ? ""
                    : number(at(less, 0.5) / unit) + " (" + number(at(less, 0.25) / unit) + " to "
                            + number(at(less, 0.75) / unit) + ")";
            table.append("| ").append(what).append(" | ").append(name).append(" | ");
            table.append(number(at(taken, 0.5) / unit))
                    .append(" | ")
                    .append(difference)
                    .append(" |\n");
        });
    }

    private static double at(double[] values, double quantile) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.round(quantile * (sorted.length - 1))];
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
