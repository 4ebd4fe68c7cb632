package org.berth.experiments.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.berth.machines.Machines;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** The pages of a real process on node 0, seen as one of two nodes. */
class RemotePagesTest {
    /** Looks are at samples 4, 8 and 16: the process was away in the first quarter, though at one of three looks. */
    @Test
    void aLookCountsForTheTimeBeforeIt() {
        Machine.requireNuma();
        RemotePages pages = new RemotePages(TopologyXml.parse(Machines.xml("2x8x2")));
        try (Child sleep = Child.start("sleep", "600")) {
            assumeThat(MemorySnapshot.of(sleep.pid()).ownBytesByNode()).containsOnlyKeys(0);
            for (int sample = 1; sample <= 16; sample++) {
                CpuSet allowed = CpuSet.of(sample <= 4 ? 8 : 0);
                pages.add(
                        sample,
                        Map.of(
                                sleep.pid(),
                                new ProcessSample(
                                        sample,
                                        List.of(new ThreadSnapshot(
                                                (int) sleep.pid(),
                                                "sleep",
                                                'S',
                                                0,
                                                allowed,
                                                0,
                                                OptionalLong.empty())))));
            }
        }
        assertThat(pages.share()).isPresent();
        assertThat(pages.share().orElseThrow()).isCloseTo(0.25, within(0.02));
    }
}
