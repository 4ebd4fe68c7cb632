package org.berth.binding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.jvm.WholeDomain;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a bound thread believes about the machine, and what it passes on, read from the kernel. */
@Timeout(120)
@SuppressWarnings("try") // a scope is there to be closed
class WholeDomainTest {
    private static final int LOOKS = 200;
    private static final int MILLIS_BETWEEN_LOOKS = 10;

    private final LocalMachine machine = LocalMachine.open();
    private final CpuSet all = machine.topology().allowedCpuSet();
    private final CpuSet slot = CpuSet.of(all.last());

    /** What a thread sees that nobody has bound; a quota may make it fewer than there are CPUs. */
    private int unbound;

    @BeforeEach
    void needsTwoProcessors() {
        Machine.requireCpus(2);
        unbound = Runtime.getRuntime().availableProcessors();
        assumeThat(unbound).isGreaterThan(1);
    }

    /** After it has run for a while. */
    private static String maskOfNewThread(String expected) throws Exception {
        FutureTask<String> mask = new FutureTask<>(() -> {
            for (int i = 0; i < LOOKS && !ownMask().equals(expected); i++) {
                Thread.sleep(MILLIS_BETWEEN_LOOKS);
            }
            return ownMask();
        });
        new Thread(mask).start();
        return mask.get();
    }

    private static String ownMask() throws IOException {
        return Files.readString(Path.of("/proc/thread-self/status"))
                .replaceAll("(?s).*Cpus_allowed_list:\\s*(\\S+).*", "$1");
    }

    @Test
    void aBoundThreadCountsAndPassesOnTheWholeDomain() throws Exception {
        try (WholeDomain domain = WholeDomain.hold(all);
                BoundScope bound = machine.binder().bindThread(slot)) {
            assertThat(domain.note()).isEmpty();
            assertThat(domain.processors()).isEqualTo(unbound);
            assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(unbound);
            ForkJoinPool pool = new ForkJoinPool();
            assertThat(pool.getParallelism()).isEqualTo(unbound);
            pool.shutdown();
            assertThat(Tool.output("nproc").strip()).isEqualTo("" + all.size());
            assertThat(Tool.output("grep", "Cpus_allowed_list", "/proc/self/status"))
                    .endsWith("\t" + all);
            assertThat(maskOfNewThread(all.toString())).isEqualTo(all.toString());
            assertThat(ownMask()).as("the bound thread itself").isEqualTo(slot.toString());
        }
        try (BoundScope bound = machine.binder().bindThread(slot)) {
            assertThat(Runtime.getRuntime().availableProcessors())
                    .as("nobody holds a domain")
                    .isEqualTo(1);
            assertThat(Tool.output("nproc").strip()).isEqualTo("1");
            assertThat(maskOfNewThread(all.toString())).isEqualTo(slot.toString());
        }
        assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(unbound);
    }

    @Test
    void aDomainThatChangesIsCountedAgain() {
        try (WholeDomain domain = WholeDomain.hold(all)) {
            domain.change(slot);
            assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(1);
            try (WholeDomain other = WholeDomain.hold(all)) {
                assertThat(other.processors()).as("both together").isEqualTo(unbound);
            }
            assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(1);
            domain.change(all);
            assertThat(Runtime.getRuntime().availableProcessors()).isEqualTo(unbound);
        }
    }

    /** Somebody else's thread is not ours to move. */
    @Test
    void aThreadOutsideOfTheDomainPassesItsOwnCpusOn() throws Exception {
        CpuSet first = CpuSet.of(all.first());
        try (WholeDomain domain = WholeDomain.hold(first);
                BoundScope bound = machine.binder().bindThread(slot)) {
            assertThat(domain.note()).isEmpty();
            assertThat(maskOfNewThread(all.toString())).isEqualTo(slot.toString());
        }
    }
}
