package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a bound progress thread asks the kernel about its place, as strace sees it: as much for 2,000 messages as for 20. */
@Tag("one-jdk")
final class BoundPathTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void needStraceAndAnAdapter() {
        Tool.requireSuccess("strace", "-o", "/dev/null", "true");
        PlacesTest.requireAdapter();
    }

    @Test
    void messagesCostNoCallAboutAffinity() throws Exception {
        long few = affinityCalls(20);
        assertThat(few).as("the thread is bound").isPositive();
        assertThat(affinityCalls(2000)).isEqualTo(few);
    }

    private long affinityCalls(int messages) throws Exception {
        Path trace = folder.resolve("trace-" + messages);
        String thread = ChildJvm.of(Messages.class, Integer.toString(messages))
                .with("-XX:TieredStopAtLevel=1")
                .under("strace", "-f", "-o", trace.toString(), "-e", "trace=sched_setaffinity,sched_getaffinity")
                .run()
                .output();
        assertThat(thread).containsOnlyDigits();
        return Files.readAllLines(trace).stream()
                .filter(line -> line.startsWith(thread + " ") && line.contains("affinity("))
                .count();
    }

    /** Sends so many messages to itself by one bound thread, and prints the thread's number. */
    static final class Messages {
        private Messages() {}

        public static void main(String[] arguments) throws Exception {
            Map<String, String> options = Map.of("providers", "tcp", "policy", "o2ocs", "threads", "1");
            try (Transport engine = Transport.open(Echo.settings("bound", options));
                    Listener listener = engine.listen(
                            "127.0.0.1:0", Echo.acceptor(Collections.synchronizedList(new ArrayList<>())));
                    Echo.Client client = new Echo.Client(engine, listener.address(), "hello")) {
                for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
                    client.ask(new byte[100]);
                }
                System.out.println(String.join(" ", PlacesTest.threads("bound").keySet()));
            }
        }
    }
}
