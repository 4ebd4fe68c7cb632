package org.berth.cli.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.berth.observation.ProcessFacts;
import org.berth.oracle.ExecutableFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is asked may be another user's, and answer what it likes; jcmd passes on all of it. */
@Timeout(60)
class JcmdTest {
    @TempDir(factory = ExecutableFolder.class)
    private Path jdk;

    private Jcmd.Answer ask(String script) throws Exception {
        Path program = Files.createDirectory(jdk.resolve("bin")).resolve("jcmd");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return Jcmd.find(jdk, "").ask(ProcessFacts.of(ProcessHandle.current().pid(), Path.of("/")), "Thread.print");
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
}
