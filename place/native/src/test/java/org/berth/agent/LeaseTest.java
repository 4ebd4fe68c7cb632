package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs that agree on who sits where, as the kernel shows them. */
@Timeout(120)
final class LeaseTest {
    private static final int MAX_CORES = 4;

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    /** Cores with a CPU that may be used, as the kernel tells them; a few, since each gets several JVMs. */
    private static Set<String> cores() throws IOException {
        Set<String> cores = new LinkedHashSet<>();
        for (int cpu : Machine.cpus()) {
            Path file = Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
            if (cores.size() < MAX_CORES) {
                cores.add(Files.readString(file).strip());
            }
        }
        return cores;
    }

    private static JvmCommand command(Jdk jdk, Path ledger, String options) throws IOException {
        return JvmCommand.of(jdk)
                .under("taskset", "-c", String.join(",", cores()))
                .withAgent("domain=core:1," + options + ",leases=" + ledger);
    }

    private static List<String> leases(Path ledger) throws IOException {
        try (Stream<Path> files = Files.walk(ledger)) {
            return files.filter(file -> file.getFileName().toString().startsWith("lease-"))
                    .map(file -> {
                        try {
                            return Files.readString(file);
                        } catch (IOException e) {
                            return e.toString();
                        }
                    })
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void jvmsStartedAtOnceSpreadEvenly(Jdk jdk, @TempDir Path ledger) throws Exception {
        Set<String> cores = cores();
        List<Jvm> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * cores.size(); i++) {
                jvms.add(command(jdk, ledger, "select=free,strict").start());
            }
            List<String> masks = new ArrayList<>();
            for (Jvm jvm : jvms) {
                jvm.ready();
                List<String> own =
                        ProcStatus.masks(jvm.pid()).values().stream().distinct().toList();
                assertThat(own).hasSize(1);
                masks.add(own.get(0));
            }
            Map<String, Long> users =
                    masks.stream().collect(Collectors.groupingBy(mask -> mask, Collectors.counting()));
            assertThat(users)
                    .hasSize(cores.size())
                    .allSatisfy((mask, count) -> assertThat(count).isEqualTo(2));
        } finally {
            for (Jvm jvm : jvms) {
                jvm.close();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aKilledJvmFreesItsPlaceAtOnce(Jdk jdk, @TempDir Path ledger) throws Exception {
        int count = cores().size();
        List<Jvm> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                jvms.add(command(jdk, ledger, "select=exclusive,name=holder,strict")
                        .start());
            }
            for (Jvm jvm : jvms) {
                jvm.ready();
            }
            assertThat(leases(ledger)).hasSize(count).allMatch(text -> text.contains("name holder\n"));
            // Nothing is left: a strict JVM does not start, any other runs unbound, with one line.
            try (Jvm refused = command(jdk, ledger, "select=exclusive,strict").start()) {
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.messages())
                        .singleElement()
                        .asString()
                        .contains(count == 1 ? "core of CPUs " : "each of the " + count + " domains")
                        .contains(" is used by another process");
            }
            try (Jvm unbound = command(jdk, ledger, "select=exclusive").start()) {
                unbound.ready();
                assertThat(unbound.messages()).singleElement().asString().endsWith("the JVM runs on without it");
                assertThat(ProcStatus.masks(unbound.pid()).values())
                        .containsOnly(KernelList.of(cores().stream()
                                .flatMap(core -> KernelList.numbers(core).stream())
                                .filter(Machine.cpus()::contains)
                                .toList()));
            }
            Collections.shuffle(jvms, new java.util.Random(1));
            Jvm victim = jvms.remove(0);
            String mask = ProcStatus.masks(victim.pid()).values().iterator().next();
            victim.child().signal("KILL");
            victim.exitCode();
            victim.close();
            try (Jvm next = command(jdk, ledger, "select=exclusive,strict").start()) {
                next.ready();
                assertThat(ProcStatus.masks(next.pid()).values()).containsOnly(mask);
                assertThat(leases(ledger)).hasSize(count);
            }
        } finally {
            for (Jvm jvm : jvms) {
                jvm.close();
            }
        }
    }

    /** The lease is the JVM's alone: a child that outlives it does not keep its domain. */
    @ParameterizedTest
    @MethodSource("jdks")
    void childrenDoNotHoldTheLease(Jdk jdk, @TempDir Path ledger) throws Exception {
        try (Jvm jvm = command(jdk, ledger, "select=exclusive,strict").start()) {
            jvm.ready();
            assertThat(FileDescriptors.of(jvm.pid())).anyMatch(file -> file.contains("/lease-"));
            String child = jvm.ask("child-files sleep 30");
            assertThat(child).doesNotContain("/lease-").contains("pipe");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aWorkerOfAPlanIsFoundByALease(Jdk jdk, @TempDir Path ledger) throws Exception {
        int[] cpus = Machine.requireCpus(2);
        Path plan = Files.writeString(
                ledger.resolve("two.plan"),
                "berth-plan 1\nlevel pu\nmemory local\nallowed " + cpus[0] + "," + cpus[1]
                        + "\noversubscribed no\n"
                        + "slot index=0 worker=0 thread=0 role=task cpus=" + cpus[0] + " nodes= reason=a\n"
                        + "slot index=1 worker=1 thread=0 role=task cpus=" + cpus[1] + " nodes= reason=b\n");
        String options = "plan=" + plan + ",worker=exclusive,strict,leases=" + ledger;
        try (Jvm first = JvmCommand.of(jdk).withAgent(options).start()) {
            first.ready();
            try (Jvm second = JvmCommand.of(jdk).withAgent(options).start()) {
                second.ready();
                assertThat(ProcStatus.masks(first.pid()).values()).containsOnly("" + cpus[0]);
                assertThat(ProcStatus.masks(second.pid()).values()).containsOnly("" + cpus[1]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aLedgerThatCannotBeUsedIsTold(Jdk jdk, @TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        try (Jvm jvm = command(jdk, file, "select=free").start()) {
            jvm.ready();
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .contains("cannot use the lease directory " + file)
                    .contains("Not a directory");
        }
    }
}
