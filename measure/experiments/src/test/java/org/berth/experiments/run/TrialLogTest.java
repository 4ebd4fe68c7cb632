package org.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.berth.experiments.Arm;
import org.berth.experiments.CollectorUse;
import org.berth.experiments.Experiment;
import org.berth.experiments.KernelAccounting;
import org.berth.experiments.PauseSummary;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file is a contract: its fields by hand, also as older versions wrote them, read by the JSON parser alone. */
class TrialLogTest {
    private static final Experiment EXPERIMENT =
            Experiment.of("log", List.of(Arm.of("a", "true"))).withRounds(2).withWarmUps(0);

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("trials.jsonl");
    }

    private Trial full() {
        return new Trial(
                new ScheduledRun(2, 2, 0),
                "a",
                Outcome.COMPLETED,
                OptionalInt.of(0),
                Duration.ofMillis(1500),
                Map.of("job", 2.5),
                new SamplingSummary(
                        3,
                        4,
                        5,
                        new MigrationCount(10, 11, 12, 13, 14, OptionalLong.of(15)),
                        new MigrationCount(20, 21, 22, 23, 24, OptionalLong.empty()),
                        new ResidencyShare(30, 31),
                        Duration.ofMillis(40)),
                new ResourceUsage(
                        Optional.of(new KernelAccounting(
                                1.5, 0.5, 50, 51, 52, 53, 54, Map.of("cycles", 60L), Map.of("x", "why"))),
                        OptionalDouble.of(0.25),
                        OptionalLong.of(70),
                        OptionalDouble.of(0.75),
                        Map.of(0, 80L, 1, 81L),
                        OptionalDouble.of(0.875),
                        Optional.of(new CollectorUse(
                                new PauseSummary(3, 6.5, 1.5, 4, 4),
                                new PauseSummary(0, 0, 0, 0, 0),
                                7,
                                1.25,
                                Map.of(0, 1.0, 1, 0.25)))),
                0.125,
                folder.resolve("02-round-2-a.log"),
                List.of("\"quoted\"\\ \u0001\u00e4 \uD83D\uDE00 \uD83D"));
    }

    private Trial empty() {
        return new Trial(
                new ScheduledRun(1, 1, 0),
                "a",
                Outcome.TIMED_OUT,
                OptionalInt.empty(),
                Duration.ZERO,
                Map.of(),
                new SamplingSummary(
                        0, 0, 0, MigrationCount.ZERO, MigrationCount.ZERO, new ResidencyShare(0, 0), Duration.ZERO),
                ResourceUsage.NOTHING,
                Double.NaN,
                folder.resolve("log"),
                List.of());
    }

    private void write(Trial... trials) throws IOException {
        try (TrialLog log = TrialLog.create(file())) {
            log.write(EXPERIMENT, Map.of("kernel", "6.1"));
            for (Trial trial : trials) {
                log.write(trial);
            }
        }
    }

    private Map<Integer, Trial> readBack() throws IOException {
        return TrialReader.read(file()).ended(folder, EXPERIMENT);
    }

    @Test
    void everyFieldByHand() throws IOException {
        write(full());
        assertThat(fields(Files.readAllLines(file()).get(2)))
                .containsExactly(
                        "kind=trial",
                        "number=2",
                        "round=2",
                        "arm=a",
                        "warmUp=false",
                        "outcome=COMPLETED",
                        "exitCode=0",
                        "wallSeconds=1.5",
                        "metrics.job=2.5",
                        "othersShare=0.125",
                        "samples=3",
                        "processes=4",
                        "mostThreads=5",
                        "seenBetweenCpus=10",
                        "seenBetweenCores=11",
                        "seenBetweenCaches=12",
                        "seenBetweenPackages=13",
                        "seenBetweenNodes=14",
                        "kernelBetweenCpus=15",
                        "seenBetweenCpusOfWorkers=20",
                        "seenBetweenCoresOfWorkers=21",
                        "seenBetweenCachesOfWorkers=22",
                        "seenBetweenPackagesOfWorkers=23",
                        "seenBetweenNodesOfWorkers=24",
                        "kernelBetweenCpusOfWorkers=null",
                        "usage.userSeconds=1.5",
                        "usage.systemSeconds=0.5",
                        "usage.peakRssBytes=50",
                        "usage.minorFaults=51",
                        "usage.majorFaults=52",
                        "usage.voluntarySwitches=53",
                        "usage.involuntarySwitches=54",
                        "usage.counters.cycles=60",
                        "usage.missing.x=why",
                        "treePeakRssBytes=70",
                        "remoteShare=0.25",
                        "gcPauseSeconds=0.75",
                        "nodeBytes.0=80",
                        "nodeBytes.1=81",
                        "heapHugeShare=0.875",
                        "collector.pauses.count=3",
                        "collector.pauses.totalMillis=6.5",
                        "collector.pauses.p50Millis=1.5",
                        "collector.pauses.p99Millis=4.0",
                        "collector.pauses.maxMillis=4.0",
                        "collector.stalls.count=0",
                        "collector.stalls.totalMillis=0.0",
                        "collector.stalls.p50Millis=0.0",
                        "collector.stalls.p99Millis=0.0",
                        "collector.stalls.maxMillis=0.0",
                        "collector.threads=7",
                        "collector.cpuSeconds=1.25",
                        "collector.cpuSecondsByNode.0=1.0",
                        "collector.cpuSecondsByNode.1=0.25",
                        "residencyInSlot=30",
                        "residencyCounted=31",
                        "samplingSeconds=0.04",
                        "log=02-round-2-a.log",
                        "notes=" + full().notes().get(0));
    }

    @Test
    void whatIsUnknownIsNull() throws IOException {
        write(empty());
        assertThat(fields(Files.readAllLines(file()).get(2)))
                .contains(
                        "exitCode=null",
                        "othersShare=null",
                        "usage=null",
                        "treePeakRssBytes=null",
                        "remoteShare=null",
                        "gcPauseSeconds=null",
                        "heapHugeShare=null",
                        "collector=null");
    }

    @Test
    void whatWasWrittenIsReadBack() throws IOException {
        write(empty(), full());
        assertThat(readBack()).containsExactlyInAnyOrderEntriesOf(Map.of(1, empty(), 2, full()));
    }

    /** Schema 2 called a field by another name, and its first files had no memory of nodes. */
    @Test
    void olderFilesAreReadToo() throws IOException {
        write(full());
        Files.writeString(
                file(),
                Files.readString(file())
                        .replace("\"schema\":4", "\"schema\":2")
                        .replace("residencyInSlot", "residencyAtHome")
                        .replace("\"nodeBytes\":{\"0\":80,\"1\":81},", ""));
        assertThat(Files.readString(file())).contains("residencyAtHome").doesNotContain("nodeBytes");
        Trial read = readBack().getOrDefault(2, empty());
        assertThat(read.sampling()).isEqualTo(full().sampling());
        assertThat(read.resources().accounting()).isEqualTo(full().resources().accounting());
        assertThat(read.resources().nodeBytes()).isEmpty();
    }

    @Test
    void aDamagedLineIsARunThatIsMadeAgain() throws IOException {
        write(empty(), full());
        String whole = Files.readString(file());
        for (String damage :
                List.of("\"samples\":3,", "\"arm\":\"a\",\"warmUp\":false,\"outcome\":\"COM", "\"minorFaults\":51,")) {
            assertThat(whole).contains(damage);
            int at = whole.lastIndexOf(damage);
            Files.writeString(file(), whole.substring(0, at) + whole.substring(at + damage.length()));
            assertThat(readBack()).as(damage).containsOnlyKeys(1);
        }
        Files.writeString(file(), whole.replace("\"kind\":\"trial\"", "\"kind\":\"news\""));
        assertThat(readBack()).isEmpty();
    }

    @Test
    void anotherBeginningIsRefused() throws IOException {
        for (String beginning : List.of("", "{}", "[1]", "{\"kind\":\"experiment\",\"schema\":1}")) {
            Files.writeString(file(), beginning + "\n");
            assertThatThrownBy(() -> TrialReader.read(file()))
                    .as(beginning)
                    .isInstanceOf(DifferentExperimentException.class);
        }
    }

    /** {@code path.to.field=value}, in the order of the line. */
    private static List<String> fields(String line) throws IOException {
        List<String> fields = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(line)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token.isScalarValue()) {
                    String path = json.getParsingContext().pathAsPointer().toString();
                    fields.add(path.substring(1).replace("notes/0", "notes").replace('/', '.') + "=" + json.getText());
                }
            }
        }
        return fields;
    }
}
