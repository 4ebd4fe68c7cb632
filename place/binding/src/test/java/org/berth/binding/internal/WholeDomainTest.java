package org.berth.binding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a bound thread believes about the machine, and what it passes on, as the kernel has it. */
@Timeout(120)
class WholeDomainTest {
    @Test
    void aBoundThreadCountsAndPassesOnTheWholeDomainAsLongAsItIsHeld() {
        int[] cpus = Machine.requireCpus(2);
        String all = Machine.cpuList();
        // A quota may make it fewer than there are CPUs.
        int unbound = Runtime.getRuntime().availableProcessors();
        assumeThat(unbound).isGreaterThan(1);
        String slot = "" + cpus[cpus.length - 1];
        String narrow = ": processors 1, pool 1, nproc 1, thread " + slot + ", own " + slot;

        Child.Result result = Child.run(ChildJvm.of(WholeDomainSubject.class).builder());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines())
                .containsExactly(
                        "unbound " + unbound,
                        "nobody holds a domain" + narrow,
                        "note none, " + unbound,
                        "held: processors " + unbound + ", pool " + unbound + ", nproc " + cpus.length + ", thread "
                                + all + ", own " + slot,
                        "changed 1",
                        "together " + unbound,
                        "alone again 1",
                        // Somebody else's thread is not ours to move.
                        "outside " + slot,
                        "given up" + narrow,
                        "held without threads: processors " + unbound + ", pool " + unbound + ", nproc " + cpus.length
                                + ", thread " + slot + ", own " + slot,
                        "unbound " + unbound);
    }
}
