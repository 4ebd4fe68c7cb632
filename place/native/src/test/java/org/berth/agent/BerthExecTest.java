package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** berth-exec becomes its command, bound. */
@Timeout(120)
class BerthExecTest {
    private final String cpu;

    BerthExecTest() throws IOException {
        List<Integer> cpus = Machine.cpus();
        cpu = String.valueOf(cpus.get(cpus.size() - 1));
    }

    private record Result(long pid, int exitCode, String output) {}

    private static Result run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Built.exec()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/proc/self/status").toFile());
        try (Child child = Child.start(builder)) {
            Child.Result result = child.finish();
            return new Result(child.pid(), result.exitCode(), result.out().strip());
        }
    }

    @Test
    void theCommandIsBoundAndKeepsPidStdinAndExitCode() throws Exception {
        Result result =
                run("--cpus", cpu, "--", "sh", "-c", "echo $$; taskset -cp $$ | sed 's/.*: //'; head -c 5; exit 9");
        assertThat(result.output()).isEqualTo(result.pid() + "\n" + cpu + "\nName:");
        assertThat(result.exitCode()).isEqualTo(9);
    }

    @Test
    void withoutOptionsNothingIsBound() throws Exception {
        assertThat(run("--", "echo", "--cpus", "x").output()).isEqualTo("--cpus x");
    }

    @Test
    void theInheritedSetIsNeverLeft() throws Exception {
        Result result = run("--cpus", cpu + ",60000", "--", "nproc");
        assertThat(result.output()).startsWith("berth: of the CPUs").endsWith("\n1");
        result = run("--cpus", "60000", "--", "nproc");
        assertThat(result.output())
                .startsWith("berth: cannot bind to CPUs 60000: none of them")
                .hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void aCommandThatCannotRunIsToldAsByEnv() throws Exception {
        assertThat(run("--", "/nowhere"))
                .returns(127, Result::exitCode)
                .returns("berth: cannot run /nowhere: No such file or directory", Result::output);
        assertThat(run("--", "/proc/self/status")).returns(126, Result::exitCode);
    }

    @Test
    void withoutStrictnessTheCommandIsStartedAllTheSame() throws Exception {
        Result result = run(
                "--strict",
                "no",
                "--cpus",
                "60000",
                "--",
                "sh",
                "-c",
                "grep Cpus_allowed_list /proc/self/status; exit 9");
        assertThat(result.output().lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("berth: cannot bind to CPUs 60000: none of them")
                .endsWith("; the command is started all the same");
        assertThat(result.output()).endsWith(":\t" + Machine.cpuList());
        assertThat(result.exitCode()).isEqualTo(9);
        result = run("--strict", "no", "--domain", "core:1", "--leases", "/proc/none", "--", "echo", "it ran");
        assertThat(result.output().lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("berth: cannot use the lease directory /proc/none");
        assertThat(result.output()).endsWith("\nit ran");
        assertThat(result.exitCode()).isZero();
        result = run("--strict", "yes", "--cpus", "60000", "--", "echo", "it ran");
        assertThat(result.output()).doesNotContain("it ran");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void withoutStrictnessTheCpusAreBoundWhereMemoryCannotBe() throws Exception {
        String[] words = {"--cpus", cpu, "--nodes", "1000", "--memory", "bind", "--", "sh", "-c", "taskset -cp $$"};
        Result result =
                run(Stream.concat(Stream.of("--strict", "no"), Stream.of(words)).toArray(String[]::new));
        assertThat(result.output().lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("berth: cannot bind to memory nodes 1000: none of them")
                .endsWith("; only the CPUs are bound");
        assertThat(result.output()).endsWith(": " + cpu);
        result = run(words);
        assertThat(result.output())
                .startsWith("berth: cannot bind to memory nodes 1000")
                .hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(1);
    }

    /** The kernel's word of the memory policy for each mapping of the command. */
    @Test
    void theMemoryOfADomainMayBeOnOtherNodes(@TempDir Path ledger) throws Exception {
        List<Integer> nodes = Machine.requireMemoryNodes();
        String last = String.valueOf(nodes.get(nodes.size() - 1));
        String[] domain = {"--domain", "cpus:" + cpu, "--leases", ledger.toString(), "--nodes", last};
        String[] command = {"--", "sh", "-c", "taskset -cp $$ | sed 's/.*: //'; cut -d ' ' -f 2 /proc/self/numa_maps"};
        Result result = run(Stream.of(domain, new String[] {"--memory", "bind"}, command)
                .flatMap(Stream::of)
                .toArray(String[]::new));
        assertThat(result.output().lines()).contains(cpu, "bind:" + last).doesNotContain("default");
        assertThat(run(Stream.of(domain, command).flatMap(Stream::of).toArray(String[]::new)))
                .returns(2, Result::exitCode)
                .extracting(Result::output)
                .asString()
                .startsWith("berth: --nodes and --memory need each other");
    }

    @Test
    void aLeaseOutlivesTheFilesThatAScriptOpens(@TempDir Path ledger) throws Exception {
        String held = "cat " + ledger + "/lease-* >/dev/null && for f in " + ledger + "/lease-*; do"
                + " flock -n $f true || echo held; done";
        Result result = run(
                "--domain",
                "core:1",
                "--leases",
                ledger.toString(),
                "--",
                "bash",
                "-c",
                "for n in 3 4 5 6 7 8 9 10 11 12; do eval \"exec $n</dev/null\"; done; " + held);
        assertThat(result.output()).endsWith("\nheld");
    }

    /** Arguments that can be read once show that the JVM does not start twice. */
    @Test
    void aJvmIsBoundAsItsAgentSaysBeforeItStarts(@TempDir Path ledger) throws Exception {
        Machine.requireCpus(2);
        Jdk jdk = Jdk.all().get(0);
        String agent = Built.agent("domain=core:1,select=exclusive,strict,leases=" + ledger);
        String script = "exec \"${@:1:6}\" @<(echo -XX:-UsePerfData) \"${@:7}\"";
        List<String> command = new ArrayList<>(
                List.of("bash", "-c", script, "bash", Built.exec(), "--agent", "yes", "--", jdk.tool("java"), agent));
        command.addAll(JvmCommand.of(jdk).program());
        try (Jvm jvm = JvmCommand.of(jdk).start(command)) {
            jvm.ready();
            assertThat(jvm.messages()).isEmpty();
            String lease = Files.readString(lease(ledger));
            String cpus = lease.replaceFirst("(?s).*\ncpus ([^\n]*).*", "$1");
            assertThat(lease).contains("pid " + jvm.pid() + "\n");
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(cpus);
            assertThat(FileDescriptors.of(jvm.pid()))
                    .filteredOn(file -> file.contains("/lease-"))
                    .hasSize(1);
            assertThat(jvm.ask("child-files sleep 30")).doesNotContain("/lease-");
            // What it inherited is known to it all the same.
            try (Child jcmd = Child.start(
                    jdk.tool("jcmd"),
                    String.valueOf(jvm.pid()),
                    "JVMTI.agent_load",
                    Built.library(),
                    "\"cpus=" + Machine.cpuList() + "\"")) {
                assertThat(jcmd.finish().out()).endsWith("return code: 0\n");
            }
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(Machine.cpuList());
        }
    }

    private static Path lease(Path ledger) throws IOException {
        try (Stream<Path> files = Files.walk(ledger)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("lease-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aJvmThatCannotBeBoundStartsUnlessItsAgentIsStrict() throws Exception {
        Jdk jdk = Jdk.all().get(0);
        for (String strict : List.of("", ",strict")) {
            String agent = Built.agent("cpus=60000" + strict);
            Result result = run("--agent", "yes", "--", jdk.tool("java"), agent, "-version");
            assertThat(result.exitCode()).isEqualTo(strict.isEmpty() ? 0 : 1);
            assertThat(result.output().lines().filter(line -> line.startsWith("berth: ")))
                    .singleElement()
                    .asString()
                    .startsWith("berth: cannot bind to CPUs 60000: none of them")
                    .endsWith(strict.isEmpty() ? "; the JVM runs on without it" : "(option strict)");
            assertThat(result.output().contains("Runtime Environment")).isEqualTo(strict.isEmpty());
        }
    }

    @Test
    void wrongUsageIsToldInOneLine() throws Exception {
        List<String[]> wrong = List.of(
                new String[] {},
                new String[] {"--"},
                new String[] {"--cpus"},
                new String[] {"--cpus", "0"},
                new String[] {"--cpus", "", "--", "true"},
                new String[] {"--cpus", "1-0", "--", "true"},
                new String[] {"--cpu", "0", "--", "true"},
                new String[] {"--memory", "near", "--", "true"},
                new String[] {"--strict", "maybe", "--", "true"},
                new String[] {"--domain", "numa", "--name", "x,leases=/tmp", "--", "true"},
                new String[] {"--domain", "numa", "--leases", "/tmp,exclusive,strict", "--", "true"},
                new String[] {"--domain", "numa,select=exclusive", "--strict", "no", "--", "true"},
                new String[] {"--agent", "perhaps", "--", "true"},
                new String[] {"--agent", "yes", "--", "true"},
                new String[] {"--agent", "yes", "--", "java", "-jar"},
                new String[] {"--agent", "yes", "--cpus", "0", "--", "java", "-agentpath:x.so=cpus=0"},
                new String[] {"--agent", "yes", "--domain", "numa", "--", "java", "-agentpath:x.so=cpus=0"},
                new String[] {"--memory", "bind", "--", "true"},
                new String[] {"--nodes", "0", "--", "true"});
        for (String[] arguments : wrong) {
            Result result = run(arguments);
            assertThat(result.exitCode()).as(String.join(" ", arguments)).isEqualTo(2);
            assertThat(result.output())
                    .startsWith("berth: ")
                    .contains("usage: berth-exec")
                    .hasLineCount(1);
        }
    }
}
