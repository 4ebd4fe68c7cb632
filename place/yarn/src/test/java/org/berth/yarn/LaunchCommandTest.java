package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.leases.Leases;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.Processes;
import org.berth.placement.MemoryMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Hadoop would write into the script of a container, run by a real shell. */
@Timeout(120)
class LaunchCommandTest {
    /** Expanded by the script and by the shell that it becomes; quotes, pipes, lists and redirections. */
    private static final List<String> COMMANDS = List.of(
            "echo 'a  b' \\\"$WORD\\\" \\$((1+1)) `echo back` ;",
            "grep Cpus_allowed_list /proc/self/status | cut -f2 && echo \\$\\$ && exit 7 1>/dev/stdout");

    @TempDir
    Path folder;

    private record Result(long pid, int exitCode, List<String> out, String error) {}

    private LaunchCommand command(String launcher, Path leases, boolean strict) {
        return new LaunchCommand(
                launcher, leases.toString(), MemoryMode.PREFER, Optional.empty(), Optional.empty(), false, strict);
    }

    private LaunchCommand real(boolean strict) {
        Path leases = folder.resolve("leases");
        Leases.at(leases).list();
        return command(NativeLibrary.launcher().toString(), leases, strict);
    }

    /** Starts the commands by a script like that of ContainerLaunch.UnixShellScriptBuilder. */
    private Result launch(List<String> commands) throws IOException {
        Path script = folder.resolve("launch_container.sh");
        Files.writeString(
                script,
                "#!/bin/bash\nexport WORD='two words'\nexec /bin/bash -c \"" + String.join(" ", commands) + "\"\n");
        try (Child shell = Child.start("bash", script.toString())) {
            Child.Result result = shell.finish();
            return new Result(
                    shell.pid(), result.exitCode(), result.out().lines().toList(), result.err());
        }
    }

    @Test
    void runsTheSameCommandsBoundUnderTheSamePid() throws Exception {
        Result plain = launch(COMMANDS);
        Result placed = launch(real(false).wrap(COMMANDS, "core:1", "container_1"));
        assertThat(plain.out().get(0)).isEqualTo("a  b two words 2 back");
        assertThat(placed.out().get(0)).isEqualTo(plain.out().get(0));
        assertThat(Cores.in(placed.out().get(1))).isOne();
        assertThat(placed.out().get(2)).isEqualTo(Long.toString(placed.pid()));
        assertThat(placed.exitCode()).isEqualTo(plain.exitCode()).isEqualTo(7);
        assertThat(placed.error()).startsWith("berth: ").hasLineCount(1);
    }

    @Test
    void becomesTheCommandWithNoShellInBetween() throws Exception {
        List<String> command = List.of("sleep 100");
        Path script = folder.resolve("launch_container.sh");
        List<String> wrapped = real(false).wrap(command, "core:1", "container_2");
        Files.writeString(script, "exec /bin/bash -c \"" + String.join(" ", wrapped) + "\"\n");
        try (Child shell = Child.start("bash", script.toString())) {
            Await.until("the command", () -> Processes.commandLine(shell.pid()), "sleep 100"::equals);
            shell.signal("TERM");
            assertThat(shell.exitCode()).isEqualTo(128 + 15);
        }
    }

    @Test
    void doesNotWrapTwiceAsARelaunchedContainerWould() {
        List<String> once = real(false).wrap(COMMANDS, "numa", "container_3");
        assertThat(real(false).wrap(once, "numa", "container_3")).isEqualTo(once);
        assertThat(once.subList(1, once.size())).isEqualTo(COMMANDS);
        assertThat(real(false).wrap(List.of(), "numa", "container_3")).isEmpty();
    }

    @Test
    void runsUnboundWithOneLineWithoutLauncherOrLedger() throws Exception {
        Path none = folder.resolve("none");
        String launcher = NativeLibrary.launcher().toString();
        Path notForThisMachine = folder.resolve("berth-exec");
        Files.write(notForThisMachine, new byte[] {0x7f, 'E', 'L', 'F', 9, 9, 9, 9});
        assertThat(notForThisMachine.toFile().setExecutable(true)).isTrue();
        String all = launch(COMMANDS).out().get(1);
        for (LaunchCommand broken : List.of(
                command(none.toString(), folder, false),
                command(notForThisMachine.toString(), folder, false),
                command(launcher, none, false))) {
            Result result = launch(broken.wrap(COMMANDS, "core:1", "container_4"));
            assertThat(result.out()).hasSize(3).first().isEqualTo("a  b two words 2 back");
            assertThat(result.out().get(1)).isEqualTo(all);
            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.error())
                    .contains("cannot be run here")
                    .endsWith("this container runs unbound\n")
                    .hasLineCount(1);
        }
    }

    /** The policy is the kernel's word for the mapping of the heap, and for no other one. */
    @Test
    void theHeapOfAJvmHasAPolicyOfItsOwn() throws Exception {
        int node = Machine.requireMemoryNodes().get(0);
        Path leases = folder.resolve("leases");
        Leases.at(leases).list();
        LaunchCommand command = new LaunchCommand(
                NativeLibrary.launcher().toString(),
                leases.toString(),
                MemoryMode.LOCAL,
                Optional.of(HeapPolicy.parse("bind@" + node)),
                Optional.of(NativeLibrary.file().toString()),
                false,
                true);
        String java = ChildJvm.JAVA + " -XX:+UseSerialGC -Xms64m -Xmx64m -XX:+AlwaysPreTouch -cp '"
                + System.getProperty("java.class.path") + "' " + HeapPolicySubject.class.getName() + " bind:" + node
                + " " + (32 << 20);
        Result result = launch(command.wrap(List.of(java), "core:1", "c_8"));
        assertThat(result.exitCode()).as(result.error()).isZero();
        assertThat(result.error()).doesNotContain("Exception");
        // The largest part of the heap at least, and no more than the heap.
        assertThat(Long.parseLong(result.out().get(0))).isBetween(32L << 20, 66L << 20);
    }

    @Test
    void aCommandThatIsNoJvmOrALibraryThatIsNotThereIsNoHindrance() throws Exception {
        Path leases = folder.resolve("leases");
        Leases.at(leases).list();
        for (String library : List.of(NativeLibrary.file().toString(), folder + "/libberth.so")) {
            LaunchCommand command = new LaunchCommand(
                    NativeLibrary.launcher().toString(),
                    leases.toString(),
                    MemoryMode.LOCAL,
                    Optional.of(HeapPolicy.parse("interleave")),
                    Optional.of(library),
                    false,
                    false);
            Result result = launch(command.wrap(COMMANDS, "core:1", "container_9"));
            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(Cores.in(result.out().get(1))).isOne();
            if (library.startsWith(folder.toString())) {
                assertThat(result.error())
                        .contains("berth: cannot read the agent " + library + ": No such file or directory")
                        .contains("; the command is started all the same")
                        .hasLineCount(2);
            } else {
                assertThat(result.error()).startsWith("berth: ").hasLineCount(1);
            }
        }
    }

    @Test
    void failsWithoutASlotOnlyWhenStrict() throws Exception {
        Result missing = launch(command("/none/berth-exec", folder, true).wrap(COMMANDS, "core:1", "container_5"));
        assertThat(missing.exitCode()).isEqualTo(126);
        assertThat(missing.out()).isEmpty();
        assertThat(missing.error()).endsWith("this container fails\n").hasLineCount(1);
        // A directory, and no place for files.
        Path proc = Path.of("/proc/self");
        String launcher = NativeLibrary.launcher().toString();
        Result refused = launch(command(launcher, proc, true).wrap(COMMANDS, "core:1", "container_6"));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        Result lenient = launch(command(launcher, proc, false).wrap(COMMANDS, "core:1", "container_7"));
        assertThat(lenient.exitCode()).isEqualTo(7);
        assertThat(lenient.error())
                .contains("; the command is started all the same")
                .hasLineCount(1);
    }
}
