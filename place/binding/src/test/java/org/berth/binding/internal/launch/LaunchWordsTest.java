package org.berth.binding.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.Child;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LaunchWordsTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final LaunchWords exec = LaunchWords.of(NativeLibrary.launcher());

    @TempDir
    Path folder;

    @Test
    void wordsStandInTheOrderGiven() {
        assertThat(LaunchWords.of("berth-exec")
                        .withCpus(CpuSet.of(0, 2))
                        .withMemory(MemoryMode.PREFER, NodeSet.of(1))
                        .withStrict(false)
                        .before(List.of("nproc", "--all")))
                .containsExactly(
                        "berth-exec",
                        "--cpus",
                        "0,2",
                        "--nodes",
                        "1",
                        "--memory",
                        "prefer",
                        "--strict",
                        "no",
                        "--",
                        "nproc",
                        "--all");
        assertThat(LaunchWords.of("berth-exec")
                        .withMemory(MemoryMode.LOCAL, NodeSet.of(1))
                        .words())
                .containsExactly("berth-exec", "--");
    }

    @Test
    void theCommandHasTheCpusAndTheMemory() throws Exception {
        int cpu = MACHINE.topology().allowedCpuSet().last();
        NodeSet nodes = MACHINE.topology().allowedNodeSet();
        List<String> command = exec.withCpus(CpuSet.of(cpu))
                .withMemory(MemoryMode.BIND, nodes)
                .withStrict(true)
                .before(List.of("sh", "-c", "taskset -cp $$; head -n 1 /proc/self/numa_maps"));
        String seen = Child.run(new ProcessBuilder(command)).output();
        assertThat(seen.lines().toList())
                .satisfies(lines -> assertThat(lines.get(0)).endsWith(": " + cpu))
                .satisfies(lines -> assertThat(lines.get(1)).contains(" bind:" + nodes + " "));
    }

    /** A name comes through as it is, or is one that berth-exec would read in another way. */
    @Test
    void namesComeThroughOrAreRefused() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<String> parts = List.of(",", ",", "=", "strict", "verbose", "a", " ", "--", "'", "\"", "$x", "ü");
        int accepted = 0;
        for (int round = 0; round < 150; round++) {
            StringBuilder text = new StringBuilder("x");
            for (int i = 2 + random.nextInt(6); i > 0; i--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            String name = text.toString();
            Path ledger = Files.createDirectory(folder.resolve("ledger-" + round));
            DomainRequest domain = DomainRequest.of("core:1").withLeases(ledger.toString());
            boolean good = isGood(domain, name);
            List<String> words = new ArrayList<>(exec.withDomain(good ? domain.withName(name) : domain)
                    .withStrict(true)
                    .words());
            if (!good) {
                words.addAll(words.size() - 1, List.of("--name", name));
            }
            words.addAll(List.of("sh", "-c", "cat \"$0\"/lease-*", ledger.toString()));
            Child.Result result = Child.run(new ProcessBuilder(words));
            boolean through = result.exitCode() == 0 && result.out().lines().anyMatch(("name " + name)::equals);
            assertThat(through).as(name).isEqualTo(good);
            accepted += good ? 1 : 0;
        }
        assertThat(accepted).isBetween(80, 147);
    }

    private static boolean isGood(DomainRequest domain, String name) {
        try {
            return domain.withName(name).name().isPresent();
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    /** All lines of the leases in a ledger, as the files have them. */
    static List<String> ledger(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
