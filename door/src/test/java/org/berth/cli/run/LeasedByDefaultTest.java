package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of the host is taken by a lease, so that two commands get two parts, unless the user says otherwise. */
final class LeasedByDefaultTest {
    private static final String READY = "ready";

    @TempDir
    private Path folder;

    private int core;

    /** Two cores; where the mask has one core with several PUs, two commands share it. */
    @BeforeEach
    void needTwoCores() {
        int[] cpus = Machine.requireCpus(2);
        core = cpus[0];
    }

    private CliProcess start(String options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options.split(" ", -1)));
        words.addAll(List.of("--", "sh", "-c", "echo ready; exec sleep 100"));
        return CliProcess.start(
                folder,
                List.of(),
                Map.of("BERTH_LEASES", folder.resolve("leases").toString()),
                words.toArray(String[]::new));
    }

    private static CpuSet cpus(CliProcess process) {
        return CpuSet.parseList(ProcStatus.of(process.pid()).cpus());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--level core --threads 1",
                "--domain core:1",
                "--level pu --threads 1",
                "--level core-spread --threads 1"
            })
    void twoCommandsGetTwoParts(String options) throws Exception {
        try (CliProcess first = start(options)) {
            first.readUntil(READY);
            try (CliProcess second = start(options)) {
                second.readUntil(READY);
                assertThat(cpus(first))
                        .isNotEqualTo(CpuSet.parseList(ProcStatus.self().cpus()));
                assertThat(cpus(first).intersects(cpus(second)))
                        .as("%s and %s", cpus(first), cpus(second))
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--level core --threads 1 --no-lease", "--domain core:1 --no-lease"})
    void withoutALeaseTheyGetTheSame(String options) throws Exception {
        try (CliProcess first = start(options)) {
            first.readUntil(READY);
            try (CliProcess second = start(options)) {
                second.readUntil(READY);
                assertThat(cpus(second)).isEqualTo(cpus(first));
                assertThat(cpus(first).contains(core)).as("the first core").isTrue();
            }
        }
        assertThat(folder.resolve("leases")).doesNotExist();
    }

    @Test
    void aCommandThatNamesItsCpusTakesNoLease() throws Exception {
        Child.Result dry = CliProcess.run(
                folder, "run", "--dry-run", "--level", "core", "--threads", "1", "--cpus", "" + core, "--", "true");
        assertThat(dry.exitCode()).as(dry.err()).isZero();
        assertThat(dry.out()).contains("--cpus " + core).doesNotContain("domain");
    }
}
