package org.berth.numavm;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.berth.binding.BindingRecords;
import org.berth.binding.LiveProcess;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** JVMs that run already on node 0, bound to the last node from outside: masks and pages as the kernel shows them. */
final class LiveChecks {
    /**
     * What may stay behind. The kernel passes over pages that somebody holds just then: 300 of 190,000 of a G1 JVM were
     * seen to stay, mostly it is none. One in a hundred is more than that, and far less than any part of the JVM that
     * would have been forgotten: its heap is over 60 %, its metaspace and code 10 %.
     */
    private static final double MOST_LEFT = 0.01;

    private static final Pattern FAR_PAGES =
            Pattern.compile("\"severity\" : \"warning\",\\s+\"check\" : \"page-locality\"");

    private LiveChecks() {}

    static void run(Checks checks, Topology machine, List<String> collectors) {
        int last = machine.nodeSet().last();
        CpuSet first = machine.numaNode(0).orElseThrow().cpuSet();
        CpuSet cpus = machine.numaNode(last).orElseThrow().cpuSet();
        BindingRecords records = BindingRecords.ofUser();
        for (String collector : collectors) {
            checks.check("a running JVM with " + collector + " bound from outside is all on node " + last, () -> {
                Process process = start(first, collector);
                try (BufferedReader out = process.inputReader()) {
                    Checks.same("first line", "ready", out.readLine());
                    Checks.same("masks before", Set.of(first.toString()), ProcStatus.settledMasks(process.pid()));
                    Checks.same("main node before", 0, mainNode(NumaMaps.anonymous(process.pid())));
                    LiveProcess live = LiveProcess.of(process.pid(), records);
                    Checks.same("all CPUs", machine.cpuSet(), live.widen());
                    if (collector.equals("UseSerialGC")) {
                        if (last > 0) {
                            String stay = berth(0, "bind", "--no-move", "--cpus", cpus.toString(), "" + process.pid());
                            Checks.holds("bind said " + stay, stay.contains("of its memory is on nodes 0"));
                            Checks.same("masks", Set.of(cpus.toString()), ProcStatus.settledMasks(process.pid()));
                            Checks.same("main node", 0, mainNode(NumaMaps.anonymous(process.pid())));
                            String said = berth(1, "doctor", "--json", "" + process.pid());
                            Checks.holds(
                                    "the doctor said " + said,
                                    FAR_PAGES.matcher(said).find());
                        }
                        berth(0, "bind", "--cpus", cpus.toString(), "" + process.pid()); // as users do it
                    } else {
                        live.bind(cpus, Map.of());
                        live.movePages(machine.nodeSet(), NodeSet.of(last));
                    }
                    requireAllOn(process.pid(), cpus, last);
                    live.unbind();
                    Checks.same(
                            "masks given back",
                            Set.of(machine.cpuSet().toString()),
                            ProcStatus.settledMasks(process.pid()));
                } finally {
                    process.destroyForcibly().waitFor();
                }
            });
        }
        if (machine.nodeSet().size() > 1) {
            checks.check("two running JVMs get one node each", () -> {
                Process one = start(machine.cpuSet(), "UseSerialGC");
                Process other = start(machine.cpuSet(), "UseSerialGC");
                try (BufferedReader out = one.inputReader();
                        BufferedReader otherOut = other.inputReader()) {
                    Checks.same("first line", "ready", out.readLine());
                    Checks.same("first line", "ready", otherOut.readLine());
                    berth(0, "bind", "--level", "numa", "" + one.pid(), "" + other.pid());
                    Set<String> oneMasks = ProcStatus.settledMasks(one.pid());
                    Set<String> otherMasks = ProcStatus.settledMasks(other.pid());
                    Checks.same("masks of the first", Set.of(nodeCpus(machine, 0)), oneMasks);
                    Checks.same("masks of the second", 1, otherMasks.size());
                    Checks.holds("both on " + oneMasks, !oneMasks.equals(otherMasks));
                } finally {
                    one.destroyForcibly().waitFor();
                    other.destroyForcibly().waitFor();
                }
            });
        }
    }

    private static void requireAllOn(long pid, CpuSet cpus, int node) throws Exception {
        Checks.same("masks after", Set.of(cpus.toString()), ProcStatus.settledMasks(pid));
        Map<Integer, Long> pages = NumaMaps.anonymous(pid);
        System.out.println("pages after the move: " + pages);
        long all = pages.values().stream().mapToLong(Long::longValue).sum();
        Checks.holds("only " + pages + " pages", all > NumaMaps.pagesOf(64 << 20));
        Checks.holds("pages " + pages + " after the move", all - pages.getOrDefault(node, 0L) <= all * MOST_LEFT);
    }

    private static String nodeCpus(Topology machine, int node) {
        return machine.numaNode(node).orElseThrow().cpuSet().toString();
    }

    /** The command as users start it, in a JVM of its own; gives what it prints. */
    private static String berth(int exitCode, String... arguments) throws Exception {
        List<String> command = java();
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Checks.same("exit code of berth " + List.of(arguments) + " that said " + output, exitCode, process.waitFor());
        return output;
    }

    private static Process start(CpuSet cpus, String collector) throws IOException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cpus.toString()));
        command.addAll(java());
        command.addAll(
                List.of("-XX:+" + collector, "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1"));
        command.add(Waiting.class.getName());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A JVM of the kind that the checks run in, with their class path. */
    static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 25) {
            // Under TCG the parallel relocation of the archive spins for seconds.
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTCacheParallelRelocation"));
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    private static int mainNode(Map<Integer, Long> pages) {
        return pages.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** Says that it runs, and does a little now and then. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("ready");
            for (int i = 0; i < 600_000; i++) {
                Thread.sleep(10);
            }
        }
    }
}
