package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

/** What an executor's log reports about a JVM whose settings do not fit its domain. */
final class CollectorNoteTest {
    private static final NodeSet ALL = NodeSet.parseList("0-1");

    @Test
    void aHeapThatUseNumaHasSpreadIsToldWithTheRemedy() {
        assertThat(CollectorNote.ofNuma(true, NodeSet.of(1), ALL))
                .hasValueSatisfying(note -> assertThat(note)
                        .contains("heap is spread over nodes 0-1", "near 1;", "-XX:-UseNUMA or the agent"));
        assertThat(CollectorNote.ofNuma(true, ALL, ALL)).isEmpty();
        assertThat(CollectorNote.ofNuma(false, NodeSet.of(1), ALL)).isEmpty();
    }
}
