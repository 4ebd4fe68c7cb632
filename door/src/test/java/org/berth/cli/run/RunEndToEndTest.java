package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.berth.cli.CliProcess.CLASS_PATH;
import static org.berth.cli.CliProcess.JAVA;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.text.ShellWord;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real commands, inspected through /proc: our own getters are never the witness. */
final class RunEndToEndTest {
    @TempDir
    private Path folder;

    private static CpuSet ownMask() {
        return CpuSet.parseList(Machine.cpuList());
    }

    private static String[] subject(String... before) {
        String[] all = Arrays.copyOf(before, before.length + 4);
        System.arraycopy(new String[] {"-cp", CLASS_PATH, RunSubject.class.getName(), "x"}, 0, all, before.length, 4);
        return all;
    }

    /** "berth: core: CPUs 0-1 (…": the set that the command says it chose. */
    private static CpuSet chosen(String err) {
        String list = err.replaceFirst("(?s).*?: CPUs ([0-9,-]+) \\(.*", "$1");
        return CpuSet.parseList(list);
    }

    @ParameterizedTest
    @CsvSource({"core, -XX:+UseG1GC, GC Thread#0", "pu, -XX:+UseSerialGC, VM Thread", "cpu, -XX:+UseG1GC, GC Thread#0"})
    void everyThreadOfAJvmIsInPlaceFromBirth(String level, String collector, String internalThread) throws Exception {
        try (CliProcess run = CliProcess.start(
                folder,
                subject("run", "--level", level, "--threads", "1", "--no-lease", "--", JAVA, collector, "-Xmx64m"))) {
            String[] ready = run.readUntil("ready ").split(" ", -1);
            CpuSet chosen = chosen(run.err());
            Map<String, CpuSet> threads = run.allowedOfThreads();

            assertThat(Long.parseLong(ready[1])).isEqualTo(run.pid());
            assertThat(Integer.parseInt(ready[2])).isEqualTo(chosen.size());
            assertThat(ownMask().containsAll(chosen)).isTrue();
            assertThat(threads).hasSizeGreaterThan(8);
            assertThat(threads.keySet())
                    .anyMatch(name -> name.startsWith(internalThread))
                    .anyMatch(name -> name.startsWith("C1 CompilerThre"));
            assertThat(threads.values()).containsOnly(chosen);

            run.send("a line");
            assertThat(run.readLine()).isEqualTo("got a line");
            assertThat(run.exitCode()).isEqualTo(RunSubject.EXIT_CODE);
        }
    }

    @Test
    void aSignalReachesTheCommandItself() throws Exception {
        try (CliProcess run =
                CliProcess.start(folder, subject("run", "--domain", "core:1", "--", JAVA, "-XX:+UseSerialGC"))) {
            run.readUntil("ready ");
            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(128 + 15);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"core", "pu", "numa", "cpu", "none"})
    void anInheritedMaskIsNeverLeft(String level) throws Exception {
        int last = ownMask().last();
        try (CliProcess run = CliProcess.start(
                folder,
                List.of("taskset", "-c", Integer.toString(last)),
                Map.of(),
                subject("run", "--level", level, "--threads", "1", "--", JAVA))) {
            String[] ready = run.readUntil("ready ").split(" ", -1);

            assertThat(ready[2]).isEqualTo("1");
            assertThat(run.allowedOfThreads().values()).containsOnly(CpuSet.of(last));
        }
    }

    /** Near a device that the kernel says the CPUs of. */
    @ParameterizedTest
    @ValueSource(strings = {"o2nts", "o2acs", "o2ocs", "o2ntc", "o2occ"})
    void aPolicyBindsNearADevice(String policy) throws Exception {
        Path device = device();
        CpuSet near = CpuSet.parseList(
                Files.readString(device.resolve("device/../local_cpulist")).strip());
        try (CliProcess run = CliProcess.start(
                folder, subject("run", "--policy", policy, "--near", "" + device.getFileName(), "--", JAVA))) {
            run.readUntil("ready ");
            CpuSet chosen = chosen(run.err());

            assertThat(run.err()).startsWith("berth: " + policy + " near " + device.getFileName() + ": CPUs ");
            assertThat(run.err()).contains("berth: note: ").contains("policy " + policy + ": each thread on ");
            assertThat(near.containsAll(chosen)).isTrue();
            assertThat(run.allowedOfThreads().values()).containsOnly(chosen);
        }
    }

    /** The agent reads the plan of a policy as that of any level. */
    @Test
    void aPolicyGivesSingleThreadsTheirPlaces() throws Exception {
        int threads = ownMask().size();
        String[] words = {
            "run",
            "--policy",
            "o2nts",
            "--hardware-threads",
            "1",
            "--near",
            "" + device().getFileName(),
            "--threads",
            "" + threads,
            "--rule",
            "worker-?",
            "--",
            JAVA
        };
        try (CliProcess run = CliProcess.start(folder, subject(words))) {
            run.readUntil("ready ");
            CpuSet all = CpuSet.empty();
            for (Map.Entry<String, CpuSet> thread : run.allowedOfThreads().entrySet()) {
                if (thread.getKey().startsWith("worker-")) {
                    assertThat(thread.getValue().size()).isEqualTo(1);
                    all = all.union(thread.getValue());
                }
            }
            assertThat(all.size()).isEqualTo(Math.min(4, threads));
        }
    }

    private static Path device() {
        return Stream.of("/sys/class/block/vda", "/sys/class/net/eth0")
                .map(Path::of)
                .filter(link -> Files.exists(link.resolve("device/../local_cpulist")))
                .findFirst()
                .orElseGet(() -> abort("neither vda nor eth0 is a virtual PCI device here: not checked"));
    }

    /** With rules, the command keeps the CPUs that it may use, however its threads are placed. */
    @ParameterizedTest
    @ValueSource(
            strings = {"--level pu --threads COUNT", "--level pu", "--level core", "--cpus CPUS", "--memory prefer", ""
            })
    void rulesGiveSingleThreadsTheirPlaces(String options) throws Exception {
        CpuSet own = ownMask();
        List<String> words = new ArrayList<>(List.of("run", "--rule", "worker-?"));
        words.addAll(List.of(options.replace("COUNT", "" + own.size())
                .replace("CPUS", own.toString())
                .split(" ", 0)));
        words.remove("");
        words.addAll(List.of("--", JAVA));
        try (CliProcess run = CliProcess.start(folder, subject(words.toArray(String[]::new)))) {
            run.readUntil("ready ");
            CpuSet all = CpuSet.empty();
            for (Map.Entry<String, CpuSet> thread : run.allowedOfThreads().entrySet()) {
                if (thread.getKey().startsWith("worker-")) {
                    assertThat(thread.getValue().size())
                            .isEqualTo(options.contains("core") ? coreOf(thread.getValue()) : 1);
                    all = all.union(thread.getValue());
                } else {
                    assertThat(thread.getValue()).as(thread.getKey()).isEqualTo(own);
                }
            }
            assertThat(all.size()).isGreaterThanOrEqualTo(Math.min(4, own.size() / coreOf(CpuSet.of(own.first()))));
        }
    }

    /** The number of PUs of a CPU's core that this process may use. */
    private static int coreOf(CpuSet cpus) throws IOException {
        String siblings = Files.readString(
                Path.of("/sys/devices/system/cpu/cpu" + cpus.first() + "/topology/thread_siblings_list"));
        return CpuSet.parseList(siblings.strip()).intersection(ownMask()).size();
    }

    @Test
    void rulesThatChangeNothingAreNoted() throws Exception {
        Machine.requireCpus(2);
        Child.Result result =
                CliProcess.run(folder, "run", "--level", "none", "--rule", "worker-?", "--", JAVA, "-version");
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).contains("berth: note: the rules for threads change nothing: none gives every thread");
    }

    /** Names of TaskManagers of Flink 1.20 and 2.3 and of a Kafka 4.1 broker that is the controller, too. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            flink | Source: gen (2/4)#0 -> Sink (2/4)#0 | OutputFlusher for Source: gen (2/4)#0
            flink | hash (2/4)#0                        | System Time Trigger for hash (2/4)#0
            flink | Legacy Source Thread - gen (1/4)#0  | Canceler/Interrupts for gen (1/4)#0 (a1b2).
            flink | map (1/1)#12                        | Time Trigger for map (1/1)#12
            flink | counter -> sink: Writer (1/2)#0     | Source Data Fetcher for Source: in -> tokenizer (1/1)#0
            kafka | ReplicaFetcherThread-0-2                    | data-plane-kafka-network-thread-1-ListenerName(CONTROLLER)-PLAINTEXT-0
            """)
    void presetsGiveSlotsToWorkersAndNotToTheirHelpers(String preset, String worker, String helper) throws Exception {
        int cpus = Machine.requireCpus(2).length;
        String[] words = {
            "run",
            "--level",
            "pu",
            "--threads",
            "" + cpus,
            "--preset",
            preset,
            "--",
            JAVA,
            "-XX:+UseSerialGC",
            "-cp",
            CLASS_PATH,
            NamedThreadsSubject.class.getName(),
            worker,
            helper
        };
        try (CliProcess run = CliProcess.start(folder, words)) {
            run.readUntil("ready");
            // A new thread is bound, and then has its name for the kernel.
            Await.until(
                    "named threads",
                    () -> masks(run, worker).size() == 1 && masks(run, helper).size() == 1);
            assertThat(masks(run, worker).get(0).size()).isEqualTo(1);
            assertThat(masks(run, helper)).containsExactly(chosen(run.err()));
        }
    }

    private static List<CpuSet> masks(CliProcess run, String name) {
        return ProcStatus.threads(run.pid()).stream()
                .filter(thread -> name.startsWith(thread.name()))
                .map(thread -> CpuSet.parseList(thread.cpus()))
                .toList();
    }

    @Test
    void anotherProgramIsBoundToo() throws Exception {
        Child.Result result = CliProcess.run(
                folder,
                "run",
                "--level",
                "core",
                "--threads",
                "1",
                "--no-lease",
                "--",
                "sh",
                "-c",
                "grep Cpus_allowed_list /proc/self/status; echo $$ >pid; exit 3".replace("pid", folder + "/pid"));

        assertThat(ProcStatus.parse(result.out()).cpus())
                .isEqualTo(chosen(result.err()).toString());
        assertThat(result.err()).contains("memory local, exec");
        assertThat(result.exitCode()).isEqualTo(3);
    }

    /** The same as {@code taskset -c LIST CMD}, which is the oracle. */
    @Test
    void aListOfCpusNeedsNoLevel() throws Exception {
        String last = Integer.toString(ownMask().last());
        Child.Result result = CliProcess.run(
                folder, "run", "--cpus", last, "--", "sh", "-c", "taskset -cp $$; grep ^Cpus_a /proc/$$/status");
        Process oracle = new ProcessBuilder("taskset", "-c", last, "sh", "-c", "grep ^Cpus_a /proc/$$/status").start();
        String expected = new String(oracle.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(result.out().lines().findFirst().orElse("")).endsWith("current affinity list: " + last);
        assertThat(result.out()).endsWith(expected);
        assertThat(expected).contains("Cpus_allowed_list:\t" + last + "\n");
        assertThat(result.err()).startsWith("berth: none: CPUs " + last + " (1 of ");
    }

    @Test
    void aDeviceNeedsNoLevel() throws Exception {
        Path device = device();
        CpuSet near = CpuSet.parseList(
                Files.readString(device.resolve("device/../local_cpulist")).strip());
        Child.Result result = CliProcess.run(
                folder, "run", "--near", "" + device.getFileName(), "--", "grep", "^Cpus_a", "/proc/self/status");

        assertThat(ProcStatus.parse(result.out()).cpus())
                .isEqualTo(near.intersection(ownMask()).toString());
    }

    /** numa_maps shows the policy in force for every mapping. */
    @ParameterizedTest
    @ValueSource(strings = {"bind", "prefer", "interleave"})
    void memoryNeedsNoLevelAndNamesItsNodes(String mode) throws Exception {
        assumeThat(Path.of("/proc/self/numa_maps")).exists();
        String nodes = ProcStatus.self().nodes();
        String node = Integer.toString(NodeSet.parseList(nodes).last());
        Child.Result program =
                CliProcess.run(folder, "run", "--memory", mode + ":" + node, "--", "cat", "/proc/self/numa_maps");
        String maps;
        try (CliProcess jvm = CliProcess.start(
                folder, subject("run", "--memory", mode + ":" + node, "--", JAVA, "-XX:+UseSerialGC"))) {
            jvm.readUntil("ready ");
            maps = Files.readString(Path.of("/proc/" + jvm.pid() + "/numa_maps"));
            assertThat(jvm.allowedOfThreads().values()).containsOnly(ownMask());
        }

        assertThat(program.err()).contains("memory " + mode + " on nodes " + node);
        assertThat(List.of(program.out(), maps))
                .allSatisfy(text -> assertThat(text.lines())
                        .isNotEmpty()
                        .allMatch(
                                line -> line.matches("\\S+ " + mode + ":" + node + "( .*)?"),
                                "memory policy of the mapping"));
    }

    /** Of the heap alone: all other mappings keep the policy of the process. */
    @Test
    void aHeapHasAPolicyOfItsOwn() throws Exception {
        assumeThat(Path.of("/proc/self/numa_maps")).exists();
        String node =
                Integer.toString(NodeSet.parseList(ProcStatus.self().nodes()).last());
        try (CliProcess jvm = CliProcess.start(
                folder,
                subject("run", "--level", "none", "--heap-memory", "prefer@" + node, "--", JAVA, "-XX:+UseSerialGC"))) {
            jvm.readUntil("ready ");
            Path maps = Path.of("/proc/" + jvm.pid() + "/numa_maps");
            Await.until(
                    "a mapping with the policy prefer:" + node,
                    () -> Files.readString(maps).contains(" prefer:" + node));
            assertThat(Files.readString(maps).lines()).anyMatch(line -> line.matches("\\S+ default .*libjvm.so.*"));
        }
    }

    @Test
    void jvmsBelowAnotherProgramGetTheRules() throws Exception {
        String java = String.join(" ", JAVA, "-cp", ShellWord.quote(CLASS_PATH), RunSubject.class.getName());
        try (CliProcess run = CliProcess.start(
                folder,
                "run",
                "--level",
                "pu",
                "--threads",
                "1",
                "--no-lease",
                "--rule",
                "worker-?",
                "--",
                "sh",
                "-c",
                "exec " + java)) {
            run.readUntil("ready ");

            assertThat(run.err()).contains("exec").contains("Picked up JAVA_TOOL_OPTIONS");
            assertThat(run.allowedOfThreads().values()).containsOnly(chosen(run.err()));
        }
    }

    /** A supervisor below a script may start its JVM again after a cleaner of temporary files has come by. */
    @Test
    void aUserWithoutAHomeIsToldThatTheLibraryIsATemporaryFile() throws Exception {
        String[] words = {"run", "--level", "pu", "--rule", "worker-?", "--", "sh", "-c", "true"};
        String target = System.getProperty("user.dir") + "/target";
        // A checkout may lie below a folder of temporary files itself.
        boolean stays = Stream.of("/tmp/", "/var/tmp/", "/dev/shm/", System.getProperty("java.io.tmpdir") + "/")
                .noneMatch(target::startsWith);
        for (String home : List.of(target, "/proc/no-home")) {
            try (CliProcess run = CliProcess.start(folder, List.of(), Map.of("XDG_DATA_HOME", home), words)) {
                assertThat(run.finish().err().contains("set XDG_DATA_HOME to a directory that stays"))
                        .isEqualTo(!home.equals(target) || !stays);
            }
        }
    }

    /** The shell is the user's: it gets the line as it was printed. */
    @Test
    void theLineOfADryRunCanBePasted() throws Exception {
        String[] words = {
            "run",
            "--dry-run",
            "--level",
            "pu",
            "--threads",
            "1",
            "--no-lease",
            "--rule",
            "worker-?",
            "--",
            JAVA,
            "-XX:+UseSerialGC"
        };
        Child.Result dry = CliProcess.run(folder, subject(words));
        try (Child pasted = Child.start("bash", "-c", "exec " + dry.out())) {
            pasted.readUntil("ready ");
            assertThat(ProcStatus.masks(pasted.pid()).values())
                    .containsOnly(chosen(dry.err()).toString());
        }
        Path plan = Path.of(dry.out().replaceFirst("(?s).*plan=([^,\\s'\"]+).*", "$1"));
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(Objects.requireNonNull(plan.getParent()))))
                .as("no other user can put a plan there first")
                .isEqualTo("rwx------");
    }

    /** A second start would archive the log of the first one, and push out an older one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aJvmStartsOnceSoThatOldLogsStay(boolean script) throws Exception {
        Machine.requireCpus(2);
        String line = JAVA + " -Xlog:gc*:file=gc.log::filecount=4 -version";
        String[] command = script ? new String[] {"sh", "-c", line} : line.split(" ", -1);
        List<String> words = new ArrayList<>(List.of("run", "--dry-run", "--level", "pu", "--rule", "w-*", "--"));
        words.addAll(List.of(command));
        Child.Result dry = CliProcess.run(folder, words.toArray(new String[0]));

        List<String> expected = logsAfterStarts("plain", line);
        assertThat(expected).hasSize(5).noneMatch(name -> name.endsWith(" is empty"));
        assertThat(logsAfterStarts("bound", dry.out().strip())).isEqualTo(expected);
    }

    private List<String> logsAfterStarts(String name, String line) throws Exception {
        Path logs = Files.createDirectory(folder.resolve(name));
        for (int i = 0; i < 6; i++) {
            try (Child child = Child.start("bash", "-c", "cd " + logs + " && " + line)) {
                assertThat(child.finish().exitCode()).isZero();
            }
        }
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.sorted().toList()) {
                found.add(file.getFileName() + (Files.size(file) == 0 ? " is empty" : ""));
            }
        }
        return found;
    }

    @Test
    void argumentsArriveAsTheyWereWritten() throws Exception {
        // Bash adds the last word: a JVM in a locale without such letters cannot even say it.
        List<String> wrapper = List.of("bash", "-c", "exec \"$@\" $'\\303\\251\\342\\202\\254'", "wrapper");
        String[] words = {"run", "--domain", "core:1", "--", "printf", "[%s]", "", "a b", "@file", "--help", "--"};
        try (CliProcess run = CliProcess.start(folder, wrapper, Map.of("LC_ALL", "C"), words)) {
            assertThat(run.finish().out()).isEqualTo("[][a b][@file][--help][--][\u00e9\u20ac]");
        }
    }

    @Test
    void quietSaysNothingAndDryRunStartsNothing() throws Exception {
        Child.Result quiet = CliProcess.run(folder, "run", "--quiet", "--domain", "core:1", "--", "echo", "x");
        Child.Result dry =
                CliProcess.run(folder, "run", "--dry-run", "--domain", "core:1", "--", "touch", folder + "/t");

        assertThat(quiet.err()).isEmpty();
        assertThat(quiet.out()).isEqualTo("x\n");
        assertThat(dry.out()).contains("berth-exec").contains("touch");
        assertThat(folder.resolve("t")).doesNotExist();
    }

    /** Such a word as a shell reads it, instead of the characters that Java puts in the place of its bytes. */
    @Test
    void aDryRunQuotesBytesThatAreNoText() throws Exception {
        Path script = CliProcess.script(folder.resolve("berth.sh"));
        String line = "exec bash \"$1\" run -n --domain core:1 -- printf %s ä $'a\\xffb'";
        Child.Result dry = CommandLines.start(List.of("bash", "-c", line, "bash", script.toString()), Map.of());
        assertThat(dry.out()).endsWith(" printf %s 'ä' $'a\\xffb'\n");
    }
}
