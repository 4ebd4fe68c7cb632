package org.berth.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The patience of one second belongs to a JVM of its own: the property is read once. */
class PatienceTest {
    private static String failure(String kind) {
        return ChildJvm.of(Impatient.class, kind)
                .with("-Dberth.test.patience.seconds=1")
                .run()
                .output();
    }

    @Test
    void aFailureSaysWhatWasAwaitedAndLastSeen() {
        assertThat(failure("value"))
                .matches("java.lang.AssertionError: did not come within 1 s: a negative number; last seen: [1-9]\\d*");
    }

    @Test
    void aFailedAssertionIsWhatWasLastSeen() {
        assertThat(failure("assertion"))
                .isEqualTo("java.lang.AssertionError: did not come within 1 s: an end;"
                        + " last seen: java.lang.AssertionError: still there");
    }

    @Test
    void anInterruptEndsTheWaiting() {
        assertThat(failure("interrupt"))
                .startsWith("java.lang.AssertionError: java.lang.InterruptedException")
                .endsWith("while waiting for: a negative number; last seen: 1");
    }

    @Test
    void aProcessThatIsSilentIsEnded() {
        assertThat(failure("silence"))
                .startsWith("java.lang.AssertionError: the process ended with 137 without a line;"
                        + " it printed [] and on standard error: ");
    }

    @Test
    void whatComesIsReturned() {
        AtomicInteger number = new AtomicInteger();
        assertThat(Await.until("five", number::incrementAndGet, value -> value == 5))
                .isEqualTo(5);
        Await.untilAsserted("ten", () -> assertThat(number.incrementAndGet()).isEqualTo(10));
        assertThat(number).hasValue(10);
    }

    static final class Impatient {
        private Impatient() {}

        public static void main(String[] arguments) {
            try {
                fail(arguments[0]);
            } catch (AssertionError expected) {
                System.out.println(expected);
            }
        }

        private static void fail(String kind) {
            AtomicInteger number = new AtomicInteger();
            switch (kind) {
                case "interrupt" -> {
                    Thread.currentThread().interrupt();
                    Await.until("a negative number", number::incrementAndGet, value -> value < 0);
                }
                case "assertion" ->
                    Await.untilAsserted("an end", () -> {
                        throw new AssertionError("still there");
                    });
                case "silence" -> {
                    try (Child child = Child.start("sh", "-c", "echo on my way >&2; sleep 600")) {
                        child.readLine();
                    }
                }
                default -> Await.until("a negative number", number::incrementAndGet, value -> value < 0);
            }
        }
    }
}
