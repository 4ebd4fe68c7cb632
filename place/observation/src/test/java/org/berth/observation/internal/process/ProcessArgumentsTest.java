package org.berth.observation.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProcessArgumentsTest {
    /** Long enough for several pages and for several sizes of the buffer. */
    private static final String LONG =
            IntStream.range(0, 9000).mapToObj(Integer::toString).collect(Collectors.joining(","));

    @Test
    void neverMixesTwoPrograms() throws Exception {
        List<String> first = List.of("sh", "-c", "read go; exec sh -c 'exec sleep 0.01'", LONG);
        List<List<String>> programs =
                List.of(first, List.of("sh", "-c", "exec sleep 0.01"), List.of("sleep", "0.01"), List.of());
        Set<List<String>> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            try (Child child = Child.start(first.toArray(String[]::new))) {
                // Until then it is this JVM's helper that starts processes.
                Await.until("the shell", () -> ProcessArguments.of(child.pid()), first::equals);
                child.send("go");
                seen.addAll(untilItsEnd(child.pid()));
            }
        }
        assertThat(programs).containsAll(seen);
        assertThat(seen).contains(first, List.of("sleep", "0.01"));
    }

    private static Set<List<String>> untilItsEnd(long pid) {
        Set<List<String>> seen = new HashSet<>();
        try {
            while (ProcessHandle.of(pid).isPresent()) {
                seen.add(ProcessArguments.of(pid));
            }
        } catch (IOException ended) {
            return seen;
        }
        return seen;
    }

    @Test
    void saysThatThereIsNoSuchProcess() {
        assertThatIOException().isThrownBy(() -> ProcessArguments.of(Integer.MAX_VALUE));
    }
}
