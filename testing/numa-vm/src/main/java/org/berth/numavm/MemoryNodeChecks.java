package org.berth.numavm;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * A machine with a node of memory alone next to nodes with CPUs: where heaps are put and moved to, CPUs of a whole node
 * that go and return, and a cpuset whose memory nodes change. The nodes and CPUs are those of the kernel's files.
 */
final class MemoryNodeChecks {
    private static final Path GROUP = Path.of("/sys/fs/cgroup/nodes");

    /** Maximum share of pages that stay, as in {@link LiveChecks}: pages that are in use just then. */
    private static final double MOST_LEFT = 0.01;

    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)m");

    private final Checks checks;
    private final Path library;

    /** Those with CPUs. */
    private final List<Integer> nodes;

    private final int memoryOnly;

    private MemoryNodeChecks(Checks checks, Path library, List<Integer> nodes, int memoryOnly) {
        this.checks = checks;
        this.library = library;
        this.nodes = nodes;
        this.memoryOnly = memoryOnly;
    }

    /** Whether the machine is one for these checks. */
    static boolean fits(Topology machine) {
        return !machine.nodesOf(machine.cpuSet()).equals(machine.nodeSet());
    }

    static void run(Checks checks, Topology machine, Path library) {
        List<Integer> nodes = new ArrayList<>();
        Set<Integer> without = new TreeSet<>();
        try {
            for (int node : machine.nodeSet().toArray()) {
                boolean cpus = !Nodes.cpus(node).isEmpty();
                (cpus ? nodes : without).add(node);
            }
        } catch (IOException e) {
            checks.check("the nodes of this machine are known", () -> {
                throw e;
            });
            return;
        }
        MemoryNodeChecks own =
                new MemoryNodeChecks(checks, library, nodes, without.iterator().next());
        own.near(machine);
        own.split();
        own.moved();
        own.unplugged();
        own.rewritten();
    }

    private int last() {
        return nodes.get(nodes.size() - 1);
    }

    private void near(Topology machine) {
        checks.check("the nodes of CPUs are those of the kernel's files, memory alone is none of them", () -> {
            for (int node : nodes) {
                Checks.same("nodes of " + node, NodeSet.of(node), machine.nodesOf(Nodes.cpus(node)));
            }
        });
        checks.check("run binds memory to the node of its CPUs, by level and by lease", () -> {
            String cpus = Nodes.cpus(last()).toString();
            Checks.same("by level", "interleave:" + last(), policy("--level", "numa", "--cpus", cpus));
            Checks.same(
                    "by lease",
                    "interleave:" + last(),
                    policy("--domain", "numa", "--select", "" + (nodes.size() - 1)));
        });
    }

    private static String policy(String... where) throws Exception {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(where));
        words.addAll(List.of("--memory", "interleave", "--dry-run", "--", "cat", "/proc/self/numa_maps"));
        return policy("", berth(words).output());
    }

    /** Runs the line that 'run --dry-run' printed, since Java cannot become it; gives the policy of its memory. */
    private static String policy(String before, String line) throws Exception {
        String maps = start(List.of("sh", "-c", before + line)).output();
        Matcher policy = Pattern.compile("(?m)^\\S+ (\\S+) .*stack").matcher(maps);
        Checks.holds("a stack in " + maps, policy.find());
        return policy.group(1);
    }

    private void split() {
        checks.check("split fits a heap to the node that it binds to, which holds all of it", () -> {
            List<String> command = new ArrayList<>(LiveChecks.java());
            command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main", "split"));
            command.addAll(
                    List.of("--into", "numa", "--cpus", Nodes.cpus(last()).toString(), "--"));
            command.addAll(LiveChecks.java());
            command.addAll(List.of("-Xms{heap}", "-Xmx{heap}", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
            command.addAll(List.of("-XX:TieredStopAtLevel=1", GuestJvm.Waiting.class.getName()));
            Path errors = Files.createTempFile("split", ".err");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment()
                    .put("BERTH_LEASES", Files.createTempDirectory("leases").toString());
            Process split = builder.start();
            try (BufferedReader output = split.inputReader()) {
                String line = output.readLine();
                String said = Files.readString(errors);
                Checks.holds(
                        "the JVM said " + line + ", and split " + said, line != null && line.contains("processors"));
                Checks.holds("the note in " + said, said.contains(memoryOnly + " has memory only"));
                Matcher pid = Pattern.compile("0: PID (\\d+)").matcher(said);
                Matcher heap = HEAP.matcher(said);
                Checks.holds("PID and heap in " + said, pid.find() && heap.find());
                long bytes = Long.parseLong(heap.group(1)) << 20;
                Checks.holds(bytes + " bytes are half of the node", bytes <= Nodes.memoryBytes(last()) / 2);
                Map<Integer, Long> pages = NumaMaps.anonymous(Long.parseLong(pid.group(1)));
                Checks.same("nodes of the pages " + pages, Set.of(last()), pages.keySet());
                Checks.holds("only " + pages, Objects.requireNonNull(pages.get(last())) >= NumaMaps.pagesOf(bytes));
            } finally {
                split.destroy();
                Checks.holds("split ends", split.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
        });
    }

    private void moved() {
        int node = nodes.get(nodes.size() - 2);
        int from = nodes.get(1);
        checks.check("bind moves a heap to the node of the CPUs, and to another one when that is full", () -> {
            List<String> command = new ArrayList<>(List.of("numactl", "--membind=" + from));
            command.addAll(LiveChecks.java());
            command.addAll(List.of("-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
            command.addAll(List.of("-XX:TieredStopAtLevel=1", LiveChecks.Waiting.class.getName()));
            Process jvm = new ProcessBuilder(command).start();
            Path filler = Path.of("/tmp/filler");
            try (BufferedReader output = jvm.inputReader()) {
                Checks.same("first line", "ready", output.readLine());
                String pid = "" + jvm.pid();
                String said = berth(List.of("bind", "--cpus", Nodes.cpus(node).toString(), pid))
                        .text();
                Checks.holds("the note in " + said, said.contains("node " + memoryOnly + " has memory only"));
                requireOn(jvm.pid(), Set.of(node), said);
                long free = Nodes.freeBytes(last()) >> 20;
                start(List.of(
                        "numactl",
                        "--membind=" + last(),
                        "/bin/busybox",
                        "dd",
                        "if=/dev/zero",
                        "of=" + filler,
                        "bs=1M",
                        "count=" + (free - 90)));
                said = berth(List.of("bind", "--cpus", Nodes.cpus(last()).toString(), pid))
                        .text();
                Checks.holds("the reason in " + said, said.contains("there is no room; free now: "));
                requireOn(jvm.pid(), Set.of(node, last()), said);
                String both = "bind:" + last() + "," + memoryOnly;
                said = berth(List.of("bind", "--cpus", Nodes.cpus(last()).toString(), "--memory", both, pid))
                        .text();
                requireOn(jvm.pid(), Set.of(last(), memoryOnly), said);
            } finally {
                jvm.destroyForcibly().waitFor();
                Files.deleteIfExists(filler);
            }
        });
    }

    /** All pages of it but a few are there, and each of the nodes has more than these. */
    private static void requireOn(long pid, Set<Integer> nodes, String said) throws IOException {
        Map<Integer, Long> pages = NumaMaps.anonymous(pid);
        long all = pages.values().stream().mapToLong(Long::longValue).sum();
        long there =
                nodes.stream().mapToLong(node -> pages.getOrDefault(node, 0L)).sum();
        String what = "pages " + pages + " on nodes " + nodes + " after: " + said;
        Checks.holds(what, all > NumaMaps.pagesOf(160 << 20) && all - there <= all * MOST_LEFT);
        Checks.holds(what, nodes.stream().allMatch(node -> pages.getOrDefault(node, 0L) > all * MOST_LEFT));
    }

    private void unplugged() {
        int node = nodes.get(1);
        checks.check("a JVM whose node loses all CPUs is bound elsewhere as a whole, and returns", () -> {
            CpuSet home = Nodes.cpus(node);
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseParallelGC", "-D" + GuestJvm.LIVE + "=true"))
                    .option("-agentpath:" + library + "=domain=numa,select=1,strict,leases="
                            + Files.createTempDirectory("leases"));
            GuestJvm.together(List.of(jvm), jvms -> {
                GuestJvm.Running running = jvms.get(0);
                requireMasks(running, home.toString());
                try {
                    for (int cpu : home.toArray()) {
                        online(cpu, "0");
                    }
                    String now = bound(running, " again", 1);
                    Checks.holds("bound to " + now, !CpuSet.parseList(now).intersects(home));
                    requireMasks(running, now);
                    List<String> words = List.of(
                            "run",
                            "--domain",
                            "numa",
                            "--select",
                            "1",
                            "--dry-run",
                            "--",
                            "cat",
                            "/proc/self/numa_maps");
                    String said = start(List.of("sh", "-c", berth(words).output() + " 2>&1"))
                            .text();
                    Checks.holds("the offline CPUs in " + said, said.contains("CPUs " + home + " are offline"));
                } finally {
                    for (int cpu : home.toArray()) {
                        online(cpu, "1");
                    }
                }
                Await.until("the line about the return", () -> bound(running, " again", 1), home.toString()::equals);
                requireMasks(running, home.toString());
            });
        });
    }

    private static void online(int cpu, String state) throws IOException {
        Files.writeString(Path.of("/sys/devices/system/cpu/cpu" + cpu + "/online"), state);
    }

    /** The CPUs of the last line about them, once there are as many. */
    private static String bound(GuestJvm.Running jvm, String end, int lines) throws Exception {
        Pattern line = Pattern.compile("bound to (\\S+)" + end);
        return Await.until(
                "line " + lines + " of the agent",
                () -> {
                    List<String> found = jvm.messages().stream()
                            .map(line::matcher)
                            .filter(Matcher::find)
                            .map(match -> match.group(1))
                            .toList();
                    return found.size() < lines ? "" : found.get(found.size() - 1);
                },
                found -> !found.isEmpty());
    }

    /**
     * Checks the mask of every thread, also once those that slept have worked: a collection wakes the collector's and
     * the compiler's.
     */
    private static void requireMasks(GuestJvm.Running jvm, String cpus) throws Exception {
        for (int look = 0; look < 2; look++) {
            Await.until("masks " + cpus, () -> masks(jvm), Set.of(cpus)::equals);
            for (int live = 16; live > 0; live -= 8) {
                jvm.ask("live " + live);
            }
        }
        Checks.same("masks after the collection", Set.of(cpus), masks(jvm));
    }

    /** Without those of the agent, which have all CPUs for the time of three system calls once a second. */
    private static Set<String> masks(GuestJvm.Running jvm) {
        return Set.copyOf(
                ProcStatus.masks(jvm.pid(), name -> !name.startsWith("berth-")).values());
    }

    private void rewritten() {
        int first = nodes.get(0);
        int second = nodes.get(1);
        String enter = "echo $$ > " + GROUP + "/cgroup.procs && ";
        checks.check("CPUs and memory policy return together when a cpuset shrinks and grows", () -> {
            CpuSet both = Nodes.cpus(first).union(Nodes.cpus(second));
            cpuset(both, first + "," + second);
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseParallelGC", "-D" + GuestJvm.LIVE + "=true"))
                    .under("sh", "-c", enter + "exec \"$@\"", "enter")
                    .option("-agentpath:" + library + "=domain=numa,select=1,memory=bind,strict,leases="
                            + Files.createTempDirectory("leases"));
            GuestJvm.together(List.of(jvm), jvms -> {
                GuestJvm.Running running = jvms.get(0);
                requireMasks(running, Nodes.cpus(second).toString());
                requirePolicy(running, second);
                cpuset(Nodes.cpus(first), "" + first);
                Await.until("policy of node " + first, () -> policies(running), Set.of("bind:" + first)::equals);
                requireMasks(running, Nodes.cpus(first).toString());
                cpuset(both, first + "," + second);
                requireMasks(running, Nodes.cpus(second).toString());
                // Told when the pages have followed.
                Await.until(
                        "the line about the memory",
                        () -> running.messages().toString(),
                        said -> said.contains(": memory bind " + second + " again in "));
                requirePolicy(running, second);
                running.messages().forEach(System.out::println);
            });
        });
        checks.check("run takes a domain whose memory the cpuset allows", () -> {
            cpuset(Nodes.cpus(first).union(Nodes.cpus(second)), "" + second);
            List<String> words = List.of(
                    "run", "--domain", "numa", "--memory", "bind", "--dry-run", "--", "cat", "/proc/self/numa_maps");
            Checks.same("policy", "bind:" + second, policy(enter, berth(words).output()));
        });
    }

    private static void cpuset(CpuSet cpus, String mems) throws IOException {
        if (!Files.isDirectory(GROUP)) {
            Files.createDirectory(GROUP);
        }
        Files.writeString(GROUP.resolve("cpuset.cpus"), cpus.toString());
        Files.writeString(GROUP.resolve("cpuset.mems"), mems);
    }

    /** Checks the policy of every thread, and its pages. */
    private static void requirePolicy(GuestJvm.Running jvm, int node) throws Exception {
        Await.until("policy of node " + node, () -> policies(jvm), Set.of("bind:" + node)::equals);
        Map<Integer, Long> pages = NumaMaps.anonymous(jvm.pid());
        long all = pages.values().stream().mapToLong(Long::longValue).sum();
        Checks.holds("pages " + pages, all - pages.getOrDefault(node, 0L) <= all * MOST_LEFT);
    }

    private static Set<String> policies(GuestJvm.Running jvm) throws IOException {
        Set<String> policies = new TreeSet<>();
        for (int tid :
                ProcStatus.masks(jvm.pid(), name -> !name.startsWith("berth-")).keySet()) {
            policies.addAll(NumaMaps.policies(jvm.pid(), tid));
        }
        return policies.stream().collect(Collectors.toUnmodifiableSet());
    }

    private record Said(String output, String errors) {
        String text() {
            return output + errors;
        }
    }

    private static Said berth(List<String> arguments) throws Exception {
        List<String> command = LiveChecks.java();
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main"));
        command.addAll(arguments);
        return start(command);
    }

    private static Said start(List<String> command) throws Exception {
        Path errors = Files.createTempFile("command", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        // The guest has no /dev/shm.
        builder.environment()
                .put("BERTH_LEASES", Files.createTempDirectory("leases").toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Said said = new Said(output.strip(), Files.readString(errors));
        Checks.same("exit code of " + command + " that said " + said, 0, process.waitFor());
        return said;
    }
}
