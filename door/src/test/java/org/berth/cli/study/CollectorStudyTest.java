package org.berth.cli.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.CliProcess;
import org.berth.cli.shared.CommandException;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Which arms the options of a study of collectors give, and one study of two collectors. */
final class CollectorStudyTest {
    private static final Topology MACHINE = Discovery.synthetic("pack:2 [numa] core:4 pu:2");

    @TempDir
    private Path folder;

    private static CollectorStudy study(List<String> command, String... options) {
        List<String> words = new ArrayList<>(List.of("--levels", "none,numa"));
        words.addAll(List.of(options));
        words.add("--");
        words.addAll(command);
        CollectorOptions given = new CollectorOptions();
        new CommandLine(given).parseArgs(words.toArray(new String[0]));
        return CollectorStudy.of(given, MACHINE);
    }

    @Test
    void eachCombinationIsAnArm() {
        CollectorStudy study = study(List.of(), "--gc", "zgc,serial", "--memory", "local,bind:0,1");
        assertThat(study.arms())
                .extracting(CollectorArm::name)
                .containsExactly(
                        "zgc",
                        "zgc+numa",
                        "serial",
                        "serial+numa",
                        "zgc+level=numa",
                        "zgc+numa+level=numa",
                        "serial+level=numa",
                        "serial+numa+level=numa",
                        "zgc+memory=bind:0,1",
                        "zgc+numa+memory=bind:0,1",
                        "serial+memory=bind:0,1",
                        "serial+numa+memory=bind:0,1",
                        "zgc+level=numa+memory=bind:0,1",
                        "zgc+numa+level=numa+memory=bind:0,1",
                        "serial+level=numa+memory=bind:0,1",
                        "serial+numa+level=numa+memory=bind:0,1");
        assertThat(study.threads()).isEqualTo(16);
        assertThat(study.liveMegabytes()).containsExactly(64, 256);
        assertThat(study.heapMegabytes(64)).isEqualTo(256);
        assertThat(study.heapMegabytes(512)).isEqualTo(2048);
    }

    @Test
    void theOptionsOfTheCollectorStandBehindJava() {
        CollectorArm unbound = study(List.of(), "--gc", "g1").arms().get(0);
        assertThat(unbound.bound(MACHINE, List.of("java", "-version"), 2).command())
                .containsExactly("java", "-XX:+UseG1GC", "-XX:-UseNUMA", "-version");
        CollectorArm bound =
                study(List.of(), "--gc", "g1", "--numa", "on").arms().get(1);
        assertThat(bound.bound(MACHINE, List.of("java", "-version"), 2).command())
                .containsSubsequence("java", "-XX:+UseG1GC", "-XX:+UseNUMA", "-version")
                .hasSizeGreaterThan(4);
        assertThat(bound.place(MACHINE, 2)).isNotEqualTo(unbound.place(MACHINE, 2));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = ';', textBlock = """
            --gc=g2;                          --gc 'g2': choose from serial, parallel, g1, zgc
            --numa=yes;                       --numa 'yes': choose from on, off
            --live-sets=64;                   --live-sets 64: give a size such as 64m or 2g
            --live-sets=2g --heap=3g;         --heap 3g: less than twice the live set of 2048 MB
            --memory=near;                    near
            """)
    void wrongWordsAreUsageErrors(String options, String message) {
        assertThatThrownBy(() -> study(List.of(), options.split(" ")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aCommandIsJavaAndLeavesTheCollectorToTheStudy() {
        assertThatThrownBy(() -> study(List.of("true")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("give a command that begins with java");
        assertThatThrownBy(() -> study(List.of(CliProcess.JAVA, "-XX:+UseZGC", "Main")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("-XX:+UseZGC: the study chooses the collector");
        assertThatThrownBy(() -> study(List.of(CliProcess.JAVA, "Main"), "--heap", "1g"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("give the command its own arguments");
    }

    @Test
    void theJvmTellsWhetherItStartsAndWhatUseNumaBecame() {
        CollectorProbe refused = CollectorProbe.of("""
                Picked up JAVA_TOOL_OPTIONS: -Dx
                Error occurred during initialization of VM
                Option -XX:+UseShenandoahGC not supported
                """, 1);
        assertThat(refused.refused()).contains("Option -XX:+UseShenandoahGC not supported");
        CollectorProbe off = CollectorProbe.of("""
                [0.001s][warning][os] NUMA support disabled: The process is bound to a single NUMA node
                     bool UseNUMA                                  = false                      {product}
                """, 0);
        assertThat(off.usesNuma()).isFalse();
        assertThat(off.reason()).contains("The process is bound to a single NUMA node");
        assertThat(CollectorProbe.of("     bool UseNUMA    := true    {product} {command line}\n", 0)
                        .usesNuma())
                .isTrue();
    }

    private Child.Result run(String... more) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("study", "collectors", "--gc", "serial,parallel", "--numa", "off", "--runs", "1", "--json"));
        words.addAll(List.of(more));
        words.addAll(List.of(
                "--", CliProcess.JAVA, "-Xmx64m", "-cp", CliProcess.CLASS_PATH, CollectorSubject.class.getName()));
        return CliProcess.run(folder, words.toArray(new String[0]));
    }

    private static double median(Object arm, String number) {
        Object spread = JsonValues.field((Map<?, ?>) arm, number);
        return ((Number) JsonValues.field((Map<?, ?>) spread, "median")).doubleValue();
    }

    @Test
    @Tag("one-jdk")
    void aStudyMeasuresEachCollectorAndGoesOn() throws Exception {
        Child.Result result = run("--results", folder + "/study");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Map<String, Object> study = JsonValues.object(result.out());
        List<?> arms = (List<?>) JsonValues.field(study, "pauses");
        assertThat(arms).hasSize(2);
        for (Object arm : arms) {
            assertThat(median(arm, "pauses")).isGreaterThanOrEqualTo(CollectorSubject.COLLECTIONS);
            assertThat(median(arm, "pauseMaxMillis")).isPositive();
            assertThat(median(arm, "collectorThreads")).isPositive();
        }
        Path results = folder.resolve("study");
        assertThat(Files.readString(results.resolve("pauses.svg"))).contains("serial", "parallel", "longest");
        assertThat(Files.readAllLines(results.resolve("pauses.csv"))).hasSize(3);
        assertThat(Files.readString(results.resolve("report.html"))).contains("Pauses and CPU time of the collectors");

        Child.Result resumed = run("--resume", folder + "/study");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(resumed.err()).doesNotContain("round 1/1");
        assertThat(JsonValues.field(JsonValues.object(resumed.out()), "pauses")).isEqualTo(arms);
    }
}
