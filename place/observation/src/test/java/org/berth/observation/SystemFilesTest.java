package org.berth.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemFilesTest {
    private static final String OWN = "proc/self/status";
    private static final String NOT_THERE = "proc/sys/kernel/berth_has_no_such_file";

    @TempDir
    private Path folder;

    private static String memoryOfThisProcess() {
        return "proc/" + ProcessHandle.current().pid() + "/maps";
    }

    /** Root may read what another user may not; what is not there is so for both. */
    @Test
    void anotherUserIsToldWhatIsThereWhatIsAbsentAndWhatIsRefused() {
        ChildJvm asks = ChildJvm.of(AsksForFiles.class, OWN, NOT_THERE, memoryOfThisProcess());
        assertThat(asks.run().output().lines()).containsExactly("value", "absent: there is no /" + NOT_THERE, "value");
        assertThat(asks.asNobody(folder).run().output().lines())
                .containsExactly(
                        "value",
                        "absent: there is no /" + NOT_THERE,
                        "refused: /" + memoryOfThisProcess()
                                + " cannot be read: EACCES (permission denied); run as root");
    }

    @Test
    void aFileOfAFileSystemThatIsNotMountedIsNotAbsent() throws Exception {
        Files.createDirectories(folder.resolve("sys"));
        assertThat(new SystemFiles(folder).read("sys/kernel/mm/x").reason()).contains("mount the file system there");
        Files.createDirectories(folder.resolve("sys/kernel/mm/hugepages"));
        assertThat(new SystemFiles(folder).read("sys/kernel/mm/x"))
                .isEqualTo(Reading.absent("there is no /sys/kernel/mm/x"));
    }

    @Test
    void anInterruptedThreadReadsAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        Reading<String> status = SystemFiles.LIVE.read(OWN);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(status.orElse("")).contains("Uid:");
    }

    @Test
    void aProcessThatHasEndedIsAbsent() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        assertThat(ProcessStatus.read(ended.pid()).refusal()).isEmpty();
        assertThat(ProcessStatus.read(ended.pid()).value()).isEmpty();
    }
}
