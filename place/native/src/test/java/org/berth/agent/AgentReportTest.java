package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the agent reports of its rules: those without a thread in one line, all of them to other processes. */
@Timeout(120)
final class AgentReportTest {
    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    private static Jvm start(Jdk jdk, String options) throws IOException {
        Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + Machine.cpuList() + "," + options + ",strict")
                .start();
        jvm.ready();
        return jvm;
    }

    /** The file in memory, as another process finds it. */
    private static List<String> report(Jvm jvm) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + jvm.pid() + "/fd"))) {
            for (Path file : files.toList()) {
                try {
                    if (Files.readSymbolicLink(file).toString().startsWith("/memfd:berth-rules")) {
                        return Files.readAllLines(file);
                    }
                } catch (NoSuchFileException e) {
                    // A JVM closes files all the time, also between the list and this look.
                }
            }
        }
        return List.of();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void rulesWithoutThreadsAreToldOnce(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "rule=worker-*,rule=ReadStge-*,rule=helper->process,preset=netty,unmatched=6")) {
            // Within these seconds, also on a host with much other work.
            jvm.startThread("worker-1");
            Await.untilAsserted("a line", () -> assertThat(jvm.messages()).isNotEmpty());
            Await.untilAsserted(
                    "a report",
                    () -> assertThat(report(jvm))
                            .contains("waiting no", "rule threads=1 matched target=slot glob=worker-*")
                            .contains("rule threads=0 missed target=slot glob=ReadStge-*")
                            .contains("rule threads=0 unmatched target=process glob=helper")
                            .contains("rule threads=0 unmatched target=slot glob=*-epoll-*")
                            .endsWith("end"));
            jvm.startThread("ReadStge-1");
            jvm.ask("end worker-1");
            Await.untilAsserted(
                    "a report",
                    () -> assertThat(report(jvm))
                            .contains("rule threads=0 matched target=slot glob=worker-*")
                            .contains("rule threads=1 matched target=slot glob=ReadStge-*"));
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .startsWith("berth: no thread has matched the rule 'ReadStge-*' in 6 s: ")
                    .contains("jcmd " + jvm.pid() + " Thread.print");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmThatWaitsIsQuiet(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "rule=a-typo-*,gc=slots 0")) {
            Await.untilAsserted(
                    "a report",
                    () -> assertThat(report(jvm))
                            .contains("waiting yes", "rule threads=0 missed target=slot glob=a-typo-*")
                            .anyMatch(
                                    line -> line.matches("rule threads=[1-9]\\d* matched target=slots 0-0 glob=@gc")));
            assertThat(jvm.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmWithoutRulesHasNoFile(Jdk jdk) throws Exception {
        try (Jvm jvm = start(jdk, "verbose")) {
            Await.untilAsserted(
                    "the watching thread", () -> assertThat(names(jvm)).contains("berth-watch"));
            assertThat(report(jvm)).isEmpty();
        }
    }

    private static List<String> names(Jvm jvm) {
        return ProcStatus.threads(jvm.pid()).stream().map(ProcStatus::name).toList();
    }
}
