package org.berth.experiments.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.berth.observation.internal.kernel.BalancingCounters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BalancingRecorderTest {
    private static final OptionalDouble NOT_READ = OptionalDouble.empty();

    @TempDir
    Path root;

    private void vmstat(long updates, long faults, long local, long migrated) throws IOException {
        Path file = root.resolve("proc/vmstat");
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "numa_hit 380210583\nnuma_pte_updates " + updates + "\nnuma_huge_pte_updates 569\nnuma_hint_faults "
                        + faults + "\nnuma_hint_faults_local " + local + "\nnuma_pages_migrated " + migrated
                        + "\npgmigrate_success 0\n");
    }

    /** The counts before are of a machine that had been up for hours. */
    @Test
    void countsAreThoseSinceTheRunBegan() throws Exception {
        vmstat(2_216_862, 1_306_541, 1_306_000, 40);
        BalancingRecorder recorder = new BalancingRecorder(true, root);
        recorder.add(0.1, NOT_READ);
        vmstat(2_226_862, 1_307_541, 1_306_600, 340);
        recorder.add(0.15, NOT_READ); // sooner than the pace
        recorder.add(0.2, NOT_READ);
        vmstat(2_226_870, 1_307_549, 1_306_608, 341);
        recorder.add(0.21, OptionalDouble.of(0.25)); // a look at the pages always counts
        assertThat(recorder.samples())
                .containsExactly(
                        new BalancingSample(0.1, BalancingCounters.ZERO, NOT_READ),
                        new BalancingSample(0.2, new BalancingCounters(10_000, 1_000, 600, 300), NOT_READ),
                        new BalancingSample(
                                0.21, new BalancingCounters(10_008, 1_008, 608, 301), OptionalDouble.of(0.25)));
    }

    @Test
    void longRunsKeepFewSamplesAndEachLookAtThePages() throws Exception {
        vmstat(0, 0, 0, 0);
        BalancingRecorder recorder = new BalancingRecorder(true, root);
        for (int i = 1; i <= 20_000; i++) {
            vmstat(i, i, i, i);
            boolean looked = i >= 4 && Integer.bitCount(i) == 1;
            recorder.add(i * 0.1, looked ? OptionalDouble.of(0.5) : NOT_READ);
        }
        assertThat(recorder.samples()).hasSizeBetween(BalancingRecorder.MOST / 3, BalancingRecorder.MOST + 13);
        assertThat(recorder.samples().stream()
                        .filter(sample -> sample.remoteShare().isPresent()))
                .hasSize(13);
        assertThat(recorder.samples()).extracting(BalancingSample::seconds).isSorted();
        assertThat(recorder.samples().get(recorder.samples().size() - 1).seconds())
                .as("the end is there, too")
                .isGreaterThan(1_800);
    }

    @Test
    void aKernelThatDoesNotCountHasNoSamples() throws Exception {
        BalancingRecorder without = new BalancingRecorder(true, root);
        without.add(1, NOT_READ);
        assertThat(without.samples()).isEmpty();
        vmstat(1, 1, 1, 1);
        BalancingRecorder unwanted = new BalancingRecorder(false, root);
        unwanted.add(1, OptionalDouble.of(1));
        assertThat(unwanted.samples()).isEmpty();
        assertThat(BalancingCounters.read(root)).contains(new BalancingCounters(1, 1, 1, 1));
    }
}
