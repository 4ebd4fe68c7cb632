package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs that agree on who sits where, as the kernel shows them. */
@Timeout(120)
final class LeaseTest {
    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    /** Cores of this machine with a CPU that may be used, as the kernel tells them. */
    private static List<String> cores() throws IOException {
        List<String> cores = new ArrayList<>();
        for (int cpu : Kernel.cpus()) {
            Path file = Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/core_cpus_list");
            String core = Files.readString(file).strip();
            if (!cores.contains(core)) {
                cores.add(core);
            }
        }
        return cores;
    }

    private static JvmCommand command(Jdk jdk, Path ledger, String options) {
        return JvmCommand.of(jdk).withAgent("domain=core:1," + options + ",leases=" + ledger);
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
        List<String> cores = cores();
        List<Jvm> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * cores.size(); i++) {
                jvms.add(command(jdk, ledger, "select=free,strict").start());
            }
            List<String> masks = new ArrayList<>();
            for (Jvm jvm : jvms) {
                jvm.ready();
                List<String> own =
                        Kernel.masks(jvm.pid()).values().stream().distinct().toList();
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
                        .contains("each of the " + count + " domains is used by another JVM");
            }
            try (Jvm unbound = command(jdk, ledger, "select=exclusive").start()) {
                unbound.ready();
                assertThat(unbound.messages()).singleElement().asString().endsWith("the JVM runs on without it");
                assertThat(Kernel.masks(unbound.pid()).values())
                        .containsOnly(Kernel.field(Path.of("/proc/self/status"), "Cpus_allowed_list"));
            }
            Collections.shuffle(jvms, new java.util.Random(1));
            Jvm victim = jvms.remove(0);
            String mask = Kernel.masks(victim.pid()).values().iterator().next();
            victim.signal("KILL");
            victim.exitCode();
            victim.close();
            try (Jvm next = command(jdk, ledger, "select=exclusive,strict").start()) {
                next.ready();
                assertThat(Kernel.masks(next.pid()).values()).containsOnly(mask);
                assertThat(leases(ledger)).hasSize(count);
            }
        } finally {
            for (Jvm jvm : jvms) {
                jvm.close();
            }
        }
    }

    /** The lease is the JVM's alone: a child that outlives it does not keep its place. */
    @ParameterizedTest
    @MethodSource("jdks")
    void childrenDoNotHoldTheLease(Jdk jdk, @TempDir Path ledger) throws Exception {
        try (Jvm jvm = command(jdk, ledger, "select=exclusive,strict").start()) {
            jvm.ready();
            assertThat(Kernel.openFiles(jvm.pid())).anyMatch(file -> file.contains("/lease-"));
            String child = jvm.ask("child-files sleep 30");
            assertThat(child).doesNotContain("/lease-").contains("/dev/null");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aWorkerOfAPlanIsFoundByALease(Jdk jdk, @TempDir Path ledger) throws Exception {
        List<Integer> cpus = Kernel.cpus();
        assumeTrue(cpus.size() > 1, "needs two CPUs");
        Path plan = Files.writeString(
                ledger.resolve("two.plan"),
                "berth-plan 1\nlevel pu\nmemory local\nallowed " + cpus.get(0) + "," + cpus.get(1)
                        + "\noversubscribed no\n"
                        + "slot index=0 worker=0 thread=0 role=task cpus=" + cpus.get(0) + " nodes=0 reason=a\n"
                        + "slot index=1 worker=1 thread=0 role=task cpus=" + cpus.get(1) + " nodes=0 reason=b\n");
        String options = "plan=" + plan + ",worker=exclusive,strict,leases=" + ledger;
        try (Jvm first = JvmCommand.of(jdk).withAgent(options).start()) {
            first.ready();
            try (Jvm second = JvmCommand.of(jdk).withAgent(options).start()) {
                second.ready();
                assertThat(Kernel.masks(first.pid()).values()).containsOnly("" + cpus.get(0));
                assertThat(Kernel.masks(second.pid()).values()).containsOnly("" + cpus.get(1));
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
