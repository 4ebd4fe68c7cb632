package org.berth.cli.shared.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.ReusedPid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is asked may be another user's, and answer what it likes; jcmd passes on all of it. */
@Timeout(60)
class JcmdTest {
    @TempDir(factory = ExecutableFolder.class)
    private Path jdk;

    private Jcmd.Answer ask(String script) throws Exception {
        return jcmd(script).ask(ProcessFacts.of(ProcessHandle.current().pid(), Path.of("/")), "Thread.print");
    }

    private Jcmd jcmd(String script) throws Exception {
        Path program = Files.createDirectory(jdk.resolve("bin")).resolve("jcmd");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return Jcmd.find(jdk, "");
    }

    @Test
    void anAnswerWithoutEndIsGivenUp() throws Exception {
        Jcmd.Answer answer = ask("exec yes");
        assertThat(answer.text()).isEmpty();
        assertThat(answer.reason()).isEqualTo("the answer of the JVM is longer than 16 MiB");
    }

    @Test
    void anAnswerIsText() throws Exception {
        assertThat(ask("echo \"$2 of $1\"").text())
                .contains("Thread.print of " + ProcessHandle.current().pid() + "\n");
    }

    @Test
    void aFailureIsOneCleanLine() throws Exception {
        Jcmd.Answer answer = ask("printf 'x\\nan Exception: \\033]0;title\\007\\n'; exit 1");
        assertThat(answer.reason()).isEqualTo("jcmd failed: an Exception: ?]0;title?");
    }

    @Test
    void aLongFailureIsShort() throws Exception {
        Jcmd.Answer answer = ask("printf 'an Exception: '; head -c 9000000 /dev/zero | tr '\\0' A; exit 1");
        assertThat(answer.reason())
                .startsWith("jcmd failed: an Exception: AAAA")
                .endsWith("A…")
                .hasSizeLessThan(400);
    }

    /** Attaching begins with SIGQUIT, which would end it. */
    @Test
    void anotherProcessWithItsPidIsNotAsked() throws Exception {
        assumeTrue(ReusedPid.isPossible(), "only root may choose the next PID");
        Path asked = jdk.resolve("asked");
        Jcmd jcmd = jcmd("echo \"$1\" >" + asked);
        ProcessFacts facts;
        try (Child jvm =
                ChildJvm.of(Sleeping.class).with("-XX:TieredStopAtLevel=1").start()) {
            jvm.readLine();
            facts = ProcessFacts.of(jvm.pid(), Path.of("/"));
        }
        Optional<Child> next = ReusedPid.start(facts.pid(), "sleep", "600");
        assumeTrue(next.isPresent(), "other processes took the PID");
        try (Child child = next.get()) {
            assertThat(jcmd.ask(facts, "VM.flags").reason()).isEqualTo("process " + child.pid() + " has ended");
            assertThat(asked).doesNotExist();
        }
    }

    @Test
    void theAnswerOfAProcessThatEndedMeanwhileMayBeAnothers() throws Exception {
        Jcmd jcmd = jcmd("kill -9 \"$1\"; while kill -0 \"$1\" 2>/dev/null; do sleep 0.01; done; echo flags");
        try (Child jvm =
                ChildJvm.of(Sleeping.class).with("-XX:TieredStopAtLevel=1").start()) {
            jvm.readLine();
            Jcmd.Answer answer = jcmd.ask(ProcessFacts.of(jvm.pid(), Path.of("/")), "VM.flags");
            assertThat(answer.text()).isEmpty();
            assertThat(answer.reason()).isEqualTo("process " + jvm.pid() + " ended while it was asked");
        }
    }

    static final class Sleeping {
        private Sleeping() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.println("ready");
            Thread.sleep(600_000);
        }
    }
}
