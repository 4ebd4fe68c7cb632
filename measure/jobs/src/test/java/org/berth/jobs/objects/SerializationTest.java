package org.berth.jobs.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.berth.jobs.JobProcess;
import org.berth.jobs.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
@Tag("long")
@Timeout(300)
class SerializationTest {
    private static final String[] TINY = {"--scale", "1", "--graphs", "5", "--rounds", "3"};

    @TempDir
    Path folder;

    @Test
    void givesTheSameResultWithAnyThreadsAndOnOneCpu() throws Exception {
        JobProcess.Run one = JobProcess.run(folder, Serialization.class, with("--threads", "1"));
        JobProcess.Run three = JobProcess.run(folder, Serialization.class, with("--threads=3"));
        JobProcess.Run bound = JobProcess.runOnOneCpu(folder, Serialization.class, TINY);
        JobProcess.Run other = JobProcess.run(folder, Serialization.class, with("--seed", "2"));

        assertThat(three.result()).isEqualTo(one.result());
        assertThat(bound.result()).isEqualTo(one.result());
        assertThat(other.result()).isNotEqualTo(one.result());
        assertThat(three.out())
                .containsPattern("5 graphs of 0\\.3 MB, 15 round trips by 3 threads: [0-9.]+ MB/s")
                .containsPattern("serialize( +[0-9.]+){4}\n")
                .containsPattern("deserialize( +[0-9.]+){4}\n");
        assertThat(bound.out()).contains("by 1 threads");
        assertThat(three.err()).isEmpty();
    }

    /** The bytes of every round, counted here once more. */
    @Test
    void countsTheBytes() throws Exception {
        long bytes = 0;
        for (int graph = 0; graph < 5; graph++) {
            bytes += 3L * ObjectGraph.serialize(ObjectGraph.create(SplitMix.at(1, graph), 1000), 0).length;
        }

        assertThat(JobProcess.run(folder, Serialization.class, TINY).result()).startsWith(bytes + " ");
    }

    @Test
    void saysInOneLineWhatIsWrong() throws Exception {
        JobProcess.run(folder, Serialization.class, "--rounds", "0")
                .assertFails(
                        2,
                        "serialization: Invalid value for option '--rounds': '0' is not a whole number of at least 1"
                                + " (--help lists the options)");
        JobProcess.run(folder, Serialization.class, "--seed", "one")
                .assertFails(
                        2,
                        "serialization: Invalid value for option '--seed': 'one' is not a whole number"
                                + " (--help lists the options)");
    }

    private static String[] with(String... more) {
        String[] all = new String[TINY.length + more.length];
        System.arraycopy(TINY, 0, all, 0, TINY.length);
        System.arraycopy(more, 0, all, TINY.length, more.length);
        return all;
    }
}
