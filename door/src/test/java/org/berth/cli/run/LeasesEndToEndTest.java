package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that find their place by a lease, inspected through /proc, and what {@code berth leases} reports about them.
 */
final class LeasesEndToEndTest {
    @TempDir
    private Path folder;

    private static Set<String> cores() throws IOException {
        CpuSet allowed = CpuSet.parseList(Machine.cpuList());
        return IntStream.of(allowed.toArray())
                .mapToObj(cpu -> {
                    try {
                        Path file = Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
                        return CpuSet.parseList(Files.readString(file).strip())
                                .intersection(allowed)
                                .toString();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .collect(Collectors.toSet());
    }

    private CliProcess start(String... args) throws IOException {
        return CliProcess.start(
                folder,
                List.of(),
                Map.of("BERTH_LEASES", folder.resolve("ledger").toString()),
                args);
    }

    private Child.Result run(String... args) throws Exception {
        try (CliProcess cli = start(args)) {
            return cli.finish();
        }
    }

    @Test
    void aJvmAndAnotherProgramGetCoresOfTheirOwn() throws Exception {
        Set<String> cores = cores();
        assumeTrue(cores.size() > 1, "needs two cores");
        String[] java = {
            "run",
            "--domain",
            "core:1",
            "--select",
            "exclusive",
            "--name",
            "a jvm",
            "--",
            CliProcess.JAVA,
            "-cp",
            CliProcess.CLASS_PATH,
            RunSubject.class.getName(),
            "x"
        };
        String[] shell = {
            "run", "--domain", "core:1", "--select", "exclusive", "--", "sh", "-c", "echo ready; read line"
        };
        try (CliProcess jvm = start(java)) {
            jvm.readUntil("ready ");
            try (CliProcess program = start(shell)) {
                program.readUntil("ready");
                String first = mask(jvm);
                String second = mask(program);
                assertThat(cores).contains(first, second);
                assertThat(first).isNotEqualTo(second);

                Child.Result table = run("leases");
                assertThat(table.exitCode()).isZero();
                assertThat(table.out().lines())
                        .hasSize(3)
                        .anySatisfy(line -> assertThat(line)
                                .startsWith(first + " ")
                                .contains(" " + jvm.pid() + " ")
                                .endsWith("a jvm"));
                assertThat(table.out()).contains("sh -c echo ready; read line");
                assertThat(run("leases", "--json").out())
                        .contains("\"pid\" : " + program.pid(), "\"cpus\" : \"" + second + "\"");
            }
        }
        assertThat(run("leases").out()).isEqualTo("no leases in " + folder.resolve("ledger") + "\n");
    }

    /** A daemon: the process that took the lease ends, and its child goes on. The shell is the oracle. */
    @Test
    void ofALeaseThatAChildHoldsTheChildIsShown() throws Exception {
        String[] daemon = {"run", "--domain", "core:1", "--", "sh", "-c", "sleep 600 >&2 & echo child $!"};
        try (CliProcess launcher = start(daemon)) {
            long child = Long.parseLong(launcher.readUntil("child ").substring("child ".length()));
            try {
                assertThat(launcher.exitCode()).isZero();
                String user = Child.run("id", "-un").out().strip();

                List<String> lines = run("leases").out().lines().toList();
                assertThat(lines).hasSize(2);
                assertThat(lines.get(0)).contains("EXCLUSIVE").doesNotContain("SHARED");
                assertThat(lines.get(1))
                        .containsPattern(" no +" + child + " +" + user + " ")
                        .endsWith("sleep 600")
                        .doesNotContain(Long.toString(launcher.pid()));
                assertThat(run("leases", "--json").out()).contains("\"holder\" : " + child);
                try (CliProcess narrow = CliProcess.start(
                        folder,
                        List.of(),
                        Map.of(
                                "COLUMNS",
                                "60",
                                "BERTH_LEASES",
                                folder.resolve("ledger").toString()),
                        "leases")) {
                    assertThat(narrow.finish().out().lines()).allMatch(line -> line.length() <= 60);
                }
            } finally {
                Child.run("kill", Long.toString(child));
            }
        }
    }

    /** The files of a process are for those who may trace it. */
    @Test
    void ofALeaseWhoseHolderMayNotBeSeenThatIsSaid() throws Exception {
        Machine.requireRoot();
        Tool.require("setpriv");
        String[] daemon = {"run", "--domain", "core:1", "--", "sh", "-c", "sleep 600 >&2 & echo child $!"};
        try (CliProcess launcher = start(daemon)) {
            long child = Long.parseLong(launcher.readUntil("child ").substring("child ".length()));
            try {
                assertThat(launcher.exitCode()).isZero();
                try (CliProcess leases = CliProcess.start(
                        folder,
                        List.of("setpriv", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"),
                        Map.of("BERTH_LEASES", folder.resolve("ledger").toString()),
                        "leases")) {
                    Child.Result result = leases.finish();
                    assertThat(result.out())
                            .contains(launcher.pid() + " (holder not seen)")
                            .doesNotContain("held by a child");
                    assertThat(result.err()).contains("may be processes of other users: /proc/", "EACCES");
                }
            } finally {
                Child.run("kill", Long.toString(child));
            }
        }
    }

    private static String mask(CliProcess process) throws IOException {
        List<String> masks = process.allowedOfThreads().values().stream()
                .map(CpuSet::toString)
                .distinct()
                .toList();
        assertThat(masks).hasSize(1);
        return masks.get(0);
    }

    @Test
    void aLedgerThatCannotBeUsedIsOneLine() throws Exception {
        Files.createFile(folder.resolve("ledger"));
        Child.Result result = run("leases");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).hasLineCount(1).contains("Not a directory");
    }

    /** To list the leases of a misspelt folder must not make it. */
    @Test
    void aFolderThatIsNotThereIsNamedByItsVariable() {
        Path typo = folder.resolve("typo");
        Child.Result list = CommandLines.fork(List.of(), Map.of("BERTH_LEASES", typo.toString()), "leases");
        assertThat(list.exitCode()).isEqualTo(2);
        assertThat(list.err())
                .startsWith("berth: BERTH_LEASES=" + typo + ": no such directory")
                .hasLineCount(1);
        assertThat(typo).doesNotExist();
        for (String line : List.of("leases", "run --domain core:1 -- true", "split --into 1 -- true")) {
            Child.Result relative = CommandLines.fork(List.of(), Map.of("BERTH_LEASES", "leases"), line.split(" "));
            assertThat(relative.exitCode()).as(line).isEqualTo(2);
            assertThat(relative.err())
                    .startsWith("berth: BERTH_LEASES=leases: give an absolute path")
                    .hasLineCount(1);
        }
    }

    @Test
    void aJvmWithoutANameHasThatOfItsClassAndKeepsItsLeaseWhenItIsUnbound() throws Exception {
        String[] java = {
            "run",
            "--domain",
            "core:1",
            "--",
            CliProcess.JAVA,
            "-cp",
            CliProcess.CLASS_PATH,
            RunSubject.class.getName(),
            "x"
        };
        try (CliProcess jvm = start(java)) {
            jvm.readUntil("ready ");
            assertThat(run("leases").out()).contains(" RunSubject\n").doesNotContain("agentpath");
            Child.Result unbound = run("unbind", "--to-cpuset", Long.toString(jvm.pid()));
            assertThat(unbound.exitCode()).as(unbound.err()).isZero();
            assertThat(unbound.err() + unbound.out()).contains("it keeps its lease of CPUs ");
            assertThat(run("leases").out().lines()).hasSize(2);
        }
    }

    @Test
    void anExclusiveSplitStartsAllOrNothing() throws Exception {
        assumeTrue(cores().size() > 1, "needs two cores");
        try (CliProcess one = start("run", "--domain", "core:1", "--", "sh", "-c", "echo ready; read line")) {
            one.readUntil("ready");
            Path started = folder.resolve("started");
            Child.Result split = run("split", "--into", "2", "--exclusive", "--", "touch", started.toString());
            assertThat(split.exitCode()).isEqualTo(1);
            assertThat(split.err())
                    .startsWith("berth: --exclusive: process " + one.pid() + " has a lease of CPUs ")
                    .hasLineCount(1);
            assertThat(started).doesNotExist();
        }
    }
}
