package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
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
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.Nodes;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A machine with a node of memory alone next to nodes with CPUs: where heaps are put and moved to, CPUs of a whole node that go and
 * return, and a cpuset whose memory nodes change. The nodes and CPUs are those of the kernel's files.
 */
@Tag(Guest.TAG)
@Tag("memorynode")
@Timeout(400) // each command prints a line
class MemoryNodeTest {
    private static final Path GROUP = Path.of("/sys/fs/cgroup/nodes");

    /** The same as in {@link RunningJvmTest}: pages that are in use at that moment. */
    private static final double MOST_LEFT = 0.01;

    private static final String ENTER = "echo $$ > " + GROUP + "/cgroup.procs && ";

    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)m");

    private final Topology machine = Guest.topology();

    /** Those with CPUs. */
    private final List<Integer> nodes = new ArrayList<>();

    private int memoryOnly;

    @BeforeEach
    void nodes() throws IOException {
        for (int node : machine.nodeSet().toArray()) {
            if (Nodes.cpus(node).isEmpty()) {
                memoryOnly = node;
            } else {
                nodes.add(node);
            }
        }
    }

    private int last() {
        return nodes.get(nodes.size() - 1);
    }

    @Test
    void theNodesOfCpusAreThoseOfTheKernelsFilesAndMemoryAloneIsNoneOfThem() throws Exception {
        for (int node : nodes) {
            assertThat(machine.nodesOf(Nodes.cpus(node))).as("nodes of " + node).isEqualTo(NodeSet.of(node));
        }
    }

    @Test
    void runBindsMemoryToTheNodeOfItsCpusByLevelAndByLease() throws Exception {
        String cpus = Nodes.cpus(last()).toString();
        assertThat(policy("--level", "numa", "--threads", "1", "--cpus", cpus))
                .as("by level")
                .isEqualTo("interleave:" + last());
        assertThat(policy("--domain", "numa", "--select", "" + (nodes.size() - 1)))
                .as("by lease")
                .isEqualTo("interleave:" + last());
    }

    private static String policy(String... where) throws Exception {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(where));
        words.addAll(List.of("--memory", "interleave", "--dry-run", "--", "cat", "/proc/self/numa_maps"));
        return policy("", berth(words).output());
    }

    /** Runs the line that 'run --dry-run' printed, since Java cannot become it; gives the policy of its memory. */
    private static String policy(String before, String line) throws Exception {
        String maps = run(List.of("sh", "-c", before + line)).output();
        Matcher policy = Pattern.compile("(?m)^\\S+ (\\S+) .*stack").matcher(maps);
        assertThat(policy.find()).as("a stack in " + maps).isTrue();
        return policy.group(1);
    }

    @Test
    void splitFitsAHeapToTheNodeThatItBindsToWhichHoldsAllOfIt() throws Exception {
        List<String> command = GuestJava.berthCommand(List.of(
                "split", "--domain", "numa", "--cpus", Nodes.cpus(last()).toString(), "--"));
        command.addAll(GuestJava.command());
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
            assertThat(line != null && line.contains("processors"))
                    .as("the JVM said " + line + ", and split " + said)
                    .isTrue();
            assertThat(said.contains(memoryOnly + " has memory only"))
                    .as("the note in " + said)
                    .isTrue();
            Matcher pid = Pattern.compile("0: PID (\\d+)").matcher(said);
            Matcher heap = HEAP.matcher(said);
            assertThat(pid.find() && heap.find()).as("PID and heap in " + said).isTrue();
            long bytes = Long.parseLong(heap.group(1)) << 20;
            assertThat(bytes <= Nodes.memoryBytes(last()) / 2)
                    .as(bytes + " bytes are half of the node")
                    .isTrue();
            Map<Integer, Long> pages = NumaMaps.anonymous(Long.parseLong(pid.group(1)));
            assertThat(pages.keySet()).as("nodes of the pages " + pages).isEqualTo(Set.of(last()));
            assertThat(Objects.requireNonNull(pages.get(last())) >= NumaMaps.pagesOf(bytes))
                    .as("only " + pages)
                    .isTrue();
        } finally {
            split.destroy();
            assertThat(split.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("split ends")
                    .isTrue();
        }
    }

    @Test
    void bindMovesAHeapToTheNodeOfTheCpusAndToAnotherOneWhenThatIsFull() throws Exception {
        int node = nodes.get(nodes.size() - 2);
        int from = nodes.get(1);
        List<String> command = new ArrayList<>(List.of("numactl", "--membind=" + from));
        command.addAll(GuestJava.command());
        command.addAll(List.of("-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", GuestJvm.Sleeping.class.getName()));
        Process jvm = new ProcessBuilder(command).start();
        Path filler = Path.of("/tmp/filler");
        try (BufferedReader output = jvm.inputReader()) {
            assertThat(output.readLine()).as("first line").isEqualTo("ready");
            String pid = "" + jvm.pid();
            String said = text(berth(List.of("bind", "--cpus", Nodes.cpus(node).toString(), pid)));
            assertThat(said.contains("node " + memoryOnly + " has memory only"))
                    .as("the note in " + said)
                    .isTrue();
            requireOn(jvm.pid(), Set.of(node), said);
            long free = Nodes.freeBytes(last()) >> 20;
            run(List.of(
                    "numactl",
                    "--membind=" + last(),
                    "/bin/busybox",
                    "dd",
                    "if=/dev/zero",
                    "of=" + filler,
                    "bs=1M",
                    "count=" + (free - 90)));
            said = text(berth(List.of("bind", "--cpus", Nodes.cpus(last()).toString(), pid)));
            assertThat(said.contains("there is no room; free now: "))
                    .as("the reason in " + said)
                    .isTrue();
            requireOn(jvm.pid(), Set.of(node, last()), said);
            String both = "bind:" + last() + "," + memoryOnly;
            said = text(berth(List.of("bind", "--cpus", Nodes.cpus(last()).toString(), "--memory", both, pid)));
            requireOn(jvm.pid(), Set.of(last(), memoryOnly), said);
        } finally {
            jvm.destroyForcibly().waitFor();
            Files.deleteIfExists(filler);
        }
    }

    /** All pages of it but a few are there, and each of the nodes has more than these. */
    private static void requireOn(long pid, Set<Integer> nodes, String said) throws IOException {
        Map<Integer, Long> pages = NumaMaps.anonymous(pid);
        long all = pages.values().stream().mapToLong(Long::longValue).sum();
        long there =
                nodes.stream().mapToLong(node -> pages.getOrDefault(node, 0L)).sum();
        String what = "pages " + pages + " on nodes " + nodes + " after: " + said;
        assertThat(all > NumaMaps.pagesOf(160 << 20) && all - there <= all * MOST_LEFT)
                .as(what)
                .isTrue();
        assertThat(nodes.stream().allMatch(node -> pages.getOrDefault(node, 0L) > all * MOST_LEFT))
                .as(what)
                .isTrue();
    }

    @Test
    void aJvmWhoseNodeLosesAllCpusIsBoundElsewhereAsAWholeAndReturns() throws Exception {
        int node = nodes.get(1);
        CpuSet home = Nodes.cpus(node);
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseParallelGC", "-D" + GuestJvm.LIVE + "=true"))
                .option("-agentpath:" + Guest.library() + "=domain=numa,select=1,strict,leases="
                        + Files.createTempDirectory("leases"));
        GuestJvm.together(List.of(jvm), jvms -> {
            GuestJvm.Running running = jvms.get(0);
            requireMasks(running, home.toString());
            try {
                for (int cpu : home.toArray()) {
                    online(cpu, "0");
                }
                String now = bound(running, " again", 1);
                assertThat(CpuSet.parseList(now).intersects(home))
                        .as("bound to " + now)
                        .isFalse();
                requireMasks(running, now);
                List<String> words = List.of(
                        "run", "--domain", "numa", "--select", "1", "--dry-run", "--", "cat", "/proc/self/numa_maps");
                String said = text(run(List.of("sh", "-c", berth(words).output() + " 2>&1")));
                assertThat(said.contains("CPUs " + home + " are offline"))
                        .as("the offline CPUs in " + said)
                        .isTrue();
            } finally {
                for (int cpu : home.toArray()) {
                    online(cpu, "1");
                }
            }
            Await.until("the line about the return", () -> bound(running, " again", 1), home.toString()::equals);
            requireMasks(running, home.toString());
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
     * Requires the mask of every thread, also once those that slept have worked: a collection wakes the collector's and
     * the compiler's.
     */
    private static void requireMasks(GuestJvm.Running jvm, String cpus) throws Exception {
        for (int look = 0; look < 2; look++) {
            Await.until("masks " + cpus, () -> masks(jvm), Set.of(cpus)::equals);
            for (int live = 16; live > 0; live -= 8) {
                jvm.ask("live " + live);
            }
        }
        assertThat(masks(jvm)).as("masks after the collection").isEqualTo(Set.of(cpus));
    }

    /** Without those of the agent, which have all CPUs for the time of three system calls once a second. */
    private static Set<String> masks(GuestJvm.Running jvm) {
        return Set.copyOf(
                ProcStatus.masks(jvm.pid(), name -> !name.startsWith("berth-")).values());
    }

    @Test
    void cpusAndMemoryPolicyReturnTogetherWhenACpusetShrinksAndGrows() throws Exception {
        int first = nodes.get(0);
        int second = nodes.get(1);
        CpuSet both = Nodes.cpus(first).union(Nodes.cpus(second));
        cpuset(both, first + "," + second);
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseParallelGC", "-D" + GuestJvm.LIVE + "=true"))
                .under("sh", "-c", ENTER + "exec \"$@\"", "enter")
                .option("-agentpath:" + Guest.library() + "=domain=numa,select=1,memory=bind,strict,leases="
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
    }

    @Test
    void runTakesADomainWhoseMemoryTheCpusetAllows() throws Exception {
        int first = nodes.get(0);
        int second = nodes.get(1);
        cpuset(Nodes.cpus(first).union(Nodes.cpus(second)), "" + second);
        List<String> words = List.of(
                "run", "--domain", "numa", "--memory", "bind", "--dry-run", "--", "cat", "/proc/self/numa_maps");
        assertThat(policy(ENTER, berth(words).output())).as("policy").isEqualTo("bind:" + second);
    }

    private static void cpuset(CpuSet cpus, String mems) throws IOException {
        if (!Files.isDirectory(GROUP)) {
            Files.createDirectory(GROUP);
        }
        Files.writeString(GROUP.resolve("cpuset.cpus"), cpus.toString());
        Files.writeString(GROUP.resolve("cpuset.mems"), mems);
    }

    /** Requires the policy of every thread, and of its pages. */
    private static void requirePolicy(GuestJvm.Running jvm, int node) throws Exception {
        Await.until("policy of node " + node, () -> policies(jvm), Set.of("bind:" + node)::equals);
        Map<Integer, Long> pages = NumaMaps.anonymous(jvm.pid());
        long all = pages.values().stream().mapToLong(Long::longValue).sum();
        assertThat(all - pages.getOrDefault(node, 0L) <= all * MOST_LEFT)
                .as("pages " + pages)
                .isTrue();
    }

    private static Set<String> policies(GuestJvm.Running jvm) throws IOException {
        Set<String> policies = new TreeSet<>();
        for (int tid :
                ProcStatus.masks(jvm.pid(), name -> !name.startsWith("berth-")).keySet()) {
            policies.addAll(NumaMaps.policies(jvm.pid(), tid));
        }
        return policies.stream().collect(Collectors.toUnmodifiableSet());
    }

    private static Child.Result berth(List<String> arguments) throws IOException {
        return run(GuestJava.berthCommand(arguments));
    }

    private static Child.Result run(List<String> command) throws IOException {
        System.out.println("running: " + command.get(command.size() - 1));
        ProcessBuilder builder = new ProcessBuilder(command);
        // The guest has no /dev/shm.
        builder.environment()
                .put("BERTH_LEASES", Files.createTempDirectory("leases").toString());
        Child.Result result = Child.run(builder);
        assertThat(result.exitCode()).as(command + " said " + text(result)).isZero();
        return result;
    }

    private static String text(Child.Result said) {
        return said.out() + said.err();
    }
}
