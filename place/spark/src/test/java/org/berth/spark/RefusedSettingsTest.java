package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings of the plugin that it cannot follow: one line each, and the job of a real Spark runs unbound. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class RefusedSettingsTest {
    @TempDir
    Path folder;

    private String allowed = "";
    private String first = "";
    private String second = "";

    @BeforeEach
    void needTwoCpus() {
        int[] cpus = Machine.requireCpus(2);
        allowed = Machine.cpuList();
        first = Integer.toString(cpus[0]);
        second = Integer.toString(cpus[1]);
    }

    @Test
    void runsUnboundWithOneWarningWhenThePlanIsBroken() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken"), "berth-plan 1\nlevel diagonal\n");

        assertRunsUnbound(List.of("-Dspark.berth.plan=" + broken), "diagonal");
    }

    @Test
    @Tag("release")
    void runsUnboundWithOneWarningOnAPlanOfAnotherMachine() throws Exception {
        assertRunsUnbound(
                List.of("-Dspark.berth.plan=" + PlanText.write(folder, first, "4000")),
                "4000",
                "may use CPUs " + allowed);
    }

    @Test
    void runsUnboundWithOneWarningWithoutTheNativeLibrary() throws Exception {
        assertRunsUnbound(
                List.of(
                        "-Dspark.berth.plan=" + PlanText.write(folder, first, second),
                        "-Dorg.berth.native.path=/nowhere/libberth.so"),
                "/nowhere/libberth.so");
    }

    @Test
    void warnsOnceOfASettingThatIsUnknownAndOfOneThatHasNoEffect() throws Exception {
        List<String> options = List.of(
                "-Dspark.master=local[2]",
                "-Dspark.berth.levle=core",
                "-Dspark.berth.level=none",
                "-Dspark.berth.guard=off",
                "-Dspark.berth.threads=cpus:4000");
        try (ForkedJob job = ForkedJob.start(folder, options, 0, "gate")) {
            assertThat(job.taskMasks(1)).containsExactly(allowed, allowed);
            job.open("gate");
            job.await("result 3", 1);
            assertThat(job.end().stream().filter(line -> line.startsWith("WARN")))
                    .containsExactly(
                            "WARN AffinityPlugin: Berth: the setting spark.berth.levle is unknown and has no effect;"
                                    + " did you mean spark.berth.level?",
                            "WARN AffinityPlugin: Berth: spark.berth.threads has no effect, because this executor binds"
                                    + " no task (level none); spark.berth.level=core or pu makes it bind them");
        }
    }

    @Test
    @Tag("release")
    void warnsOnceOfCpusForServiceThreadsThatAreNotThere() throws Exception {
        List<String> options = List.of(
                "-Dspark.master=local[2]",
                "-Dspark.berth.level=pu",
                "-Dspark.berth.guard=off",
                "-Dspark.berth.threads=cpus:4000");
        try (ForkedJob job = ForkedJob.start(folder, options, 0, "gate")) {
            assertThat(job.taskMasks(1)).hasSize(2);
            job.open("gate");
            job.await("result 3", 1);
            assertThat(job.end().stream().filter(line -> line.startsWith("WARN")))
                    .containsExactly("WARN AffinityPlugin: Berth: spark.berth.threads: this process may not use CPUs"
                            + " 4000, so these threads are placed as with auto");
        }
    }

    @Test
    @Tag("release")
    void runsUnboundWithOneWarningOnAnUnknownLevel() throws Exception {
        assertRunsUnbound(
                List.of("-Dspark.berth.level=socket"),
                "spark.berth.level=socket is not one of auto, none, numa, package, l3, core, pu");
    }

    @Test
    @Tag("release")
    void runsUnboundWithOneWarningOnAGuardThatIsNone() throws Exception {
        assertRunsUnbound(
                List.of("-Dspark.berth.level=pu", "-Dspark.berth.guard=yes"),
                "spark.berth.guard=yes is not one of on, off");
    }

    private void assertRunsUnbound(List<String> options, String... reasons) throws Exception {
        List<String> all = new ArrayList<>(options);
        all.add("-Dspark.master=local[2]");
        if (options.stream().noneMatch(option -> option.contains("guard"))) {
            all.add("-Dspark.berth.guard=off"); // else tasks are not bound in the first seconds
        }
        try (ForkedJob job = ForkedJob.start(folder, all, 0, "gate")) {
            assertThat(job.taskMasks(1)).containsExactly(allowed, allowed);
            job.open("gate");
            job.await("result 3", 1);

            assertThat(job.end())
                    .singleElement()
                    .asString()
                    .startsWith("WARN AffinityPlugin: Berth: all tasks run unbound: ")
                    .contains(reasons);
        }
    }
}
