package org.berth.microbenchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void ratiosAreTakenWithinARound() {
        Samples samples = new Samples();
        // Twice as slow in the second round, both of them: the ratio does not move.
        samples.add("a.b.SetBenchmark.unionBerth", 10);
        samples.add("a.b.SetBenchmark.unionBitSet", 20);
        samples.add("a.b.SetBenchmark.unionBerth", 20);
        samples.add("a.b.SetBenchmark.unionBitSet", 40);
        samples.add("a.b.SetBenchmark.onlyBerth", 1234.5);
        samples.add("a.b.SetBenchmark.nothingBare", 1);
        assertThat(samples.ratios("union", Peer.BitSet)).containsExactly(0.5, 0.5);
        assertThat(Report.markdown(samples)).isEqualTo("""
                        | operation | Berth, ns | Berth / java.util.BitSet |
                        |---|---:|---:|
                        | union | 15.0 (10.0–20.0) | 0.500 (0.500–0.500) |
                        | only | 1,235 (1,235–1,235) |  |
                        """);
    }

    @Test
    void namesEndInAPeer() {
        assertThatThrownBy(() -> new Samples().add("a.b.SetBenchmark.union", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("benchmark union does not end in the name of a peer");
    }
}
