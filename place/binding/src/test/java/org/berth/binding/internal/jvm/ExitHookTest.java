package org.berth.binding.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Test;

/** A hook that refuses the end of a JVM to one thread; on each JDK, since it takes the place of a method of the JDK. */
class ExitHookTest {
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            Thread kept = new Thread(() -> {
                tryTo(() -> System.exit(5));
                tryTo(() -> Runtime.getRuntime().halt(6));
            });
            ExitHook.install(() -> {
                if (Thread.currentThread() == kept) {
                    throw new IllegalStateException("not now");
                }
            });
            tryTo(() -> ExitHook.install(() -> {}));
            kept.start();
            kept.join();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the hooks run")));
            System.exit(7);
        }

        private static void tryTo(Runnable call) {
            try {
                call.run();
            } catch (RuntimeException e) {
                System.out.println("caught: " + e.getMessage());
            }
        }
    }

    @Test
    void whatTheHookThrowsGoesToTheCallerAndOthersEndTheJvm() throws Exception {
        Child.Result result = ChildJvm.of(Program.class)
                .with("-Xcheck:jni", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .run();
        assertThat(result.exitCode()).as(result.err()).isEqualTo(7);
        assertThat(result.out().lines())
                .hasSize(4)
                .startsWith(
                        "caught: cannot hook the end of the JVM: EINVAL (invalid argument); run on HotSpot 17 or later, with one hook")
                .endsWith("caught: not now", "caught: not now", "the hooks run");
    }
}
