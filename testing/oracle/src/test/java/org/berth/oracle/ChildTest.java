package org.berth.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class ChildTest {
    @Test
    void linesGoInAndOut() {
        try (Child cat = Child.start("cat")) {
            assertThat(cat.ask("grüße")).isEqualTo("grüße");
            cat.send("one");
            cat.send("two");
            assertThat(cat.readUntil("tw")).isEqualTo("two");
            assertThat(cat.finish()).isEqualTo(new Child.Result(0, "", ""));
        }
    }

    @Test
    void theEndInsteadOfALineSaysWhy() {
        try (Child child = Child.start("sh", "-c", "echo one; echo sorry >&2; exit 7")) {
            assertThatThrownBy(() -> child.readUntil("two"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(
                            "the process ended with 7 without 'two…'; it printed [one] and on standard error: sorry\n");
        }
    }

    @Test
    void signalsArriveAtTheChild() {
        try (Child child =
                Child.start("sh", "-c", "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done")) {
            child.readLine();
            child.signal("TERM");
            assertThat(child.readLine()).isEqualTo("bye");
            assertThat(child.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void closingEndsAllThatItStarted() {
        ProcessHandle started;
        try (Child child = Child.start("sh", "-c", "sleep 600 & echo $!; wait")) {
            started = ProcessHandle.of(Long.parseLong(child.readLine())).orElseThrow();
            assertThat(started.isAlive()).isTrue();
        }
        assertThat(started.isAlive()).isFalse();
    }

    @Test
    void aJvmTakesOptionsOfItsCommandOnly() {
        ChildJvm jvm = ChildJvm.of(Hello.class, "a", "b c").with("-Dx=1");
        ProcessBuilder builder = new ProcessBuilder(jvm.under("env", "Y=2").command());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dz=3");
        ChildJvm.withEnvironment(builder, jvm.environment());
        assertThat(Child.run(builder)).isEqualTo(new Child.Result(0, "[a, b c] 1 2 null\n", ""));
        assertThat(jvm.environment("JAVA_TOOL_OPTIONS", "-Dz=3").run().output()).isEqualTo("[a, b c] 1 null 3");
    }

    @Test
    void aMissingToolAbortsTheTest() {
        assertThat(Tool.require("no-such-tool", "sh")).isExecutable().hasFileName("sh");
        assertThatThrownBy(() -> Tool.require("no-such-tool"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("not installed: no-such-tool");
        assertThatThrownBy(() -> Tool.requireSuccess("sh", "-c", "echo no >&2; false"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("here: no");
        assertThatThrownBy(() -> Machine.requireCpus(1_000_000))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("needs 1000000 CPUs, and this process may use " + Machine.cpuList());
    }

    static final class Hello {
        private Hello() {}

        public static void main(String[] arguments) {
            System.out.println(java.util.List.of(arguments) + " " + System.getProperty("x") + " " + System.getenv("Y")
                    + " " + System.getProperty("z"));
        }
    }
}
