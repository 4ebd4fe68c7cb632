package org.berth.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded threads, and the compiler threads of this JVM. */
class RunQueueReaderTest {
    @TempDir
    Path tasks;

    @Test
    void readsBothTimesAgainAndAgain() throws IOException {
        thread(7, "java", "64597 45718 2\n");
        try (RunQueueReader reader = RunQueueReader.of(tasks)) {
            assertThat(reader.obstacle(7)).isEmpty();
            assertThat(reader.read(7)).contains(new RunQueueTimes(64597, 45718));
            thread(7, "java", "64597 145718 3\n");
            assertThat(reader.read(7)).contains(new RunQueueTimes(64597, 145718));
            assertThat(reader.read(8)).as("a thread that has ended").isEqualTo(Optional.empty());
            reader.keepOnly(tid -> false);
            assertThat(reader.read(7)).isPresent();
        }
    }

    @Test
    void tellsThatAKernelDoesNotCount() throws IOException {
        thread(7, "java", "0 0 0\n");
        try (RunQueueReader reader = RunQueueReader.of(tasks)) {
            assertThat(reader.obstacle(7))
                    .contains("the kernel does not count how long threads wait for a CPU (" + tasks
                            + "/7/schedstat has zeros only): it was built without CONFIG_SCHED_INFO, or needs the boot"
                            + " option delayacct");
            assertThat(reader.obstacle(8)).get().asString().contains(tasks + "/8/schedstat cannot be read");
        }
    }

    @Test
    void findsCompilersByTheirNamesWhileThreadsComeAndGo() throws IOException {
        CompilerThreads finder = new CompilerThreads(tasks.toFile());
        thread(7, "java\n", "1 1 1\n");
        thread(8, "C2 CompilerThre\n", "1 1 1\n");
        assertThat(finder.find()).containsExactly(8);
        thread(9, "C1 CompilerThre\n", "1 1 1\n");
        assertThat(finder.find()).containsExactlyInAnyOrder(8, 9);
        Files.delete(tasks.resolve("8/comm"));
        Files.delete(tasks.resolve("8/schedstat"));
        Files.delete(tasks.resolve("8"));
        assertThat(finder.find()).isEqualTo(List.of(9));
    }

    private void thread(int tid, String name, String schedstat) throws IOException {
        Path folder = Files.createDirectories(tasks.resolve(Integer.toString(tid)));
        Files.writeString(folder.resolve("comm"), name);
        Files.writeString(folder.resolve("schedstat"), schedstat);
    }
}
