package org.berth.observation.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
    @Test
    void readsWhatTheJvmTells() {
        JvmFlags flags = JvmFlags.ofVmFlags("4242:\n-XX:MaxHeapSize=67108864 -XX:-UseNUMA -XX:+UseG1GC \n");
        assertThat(flags.complete()).isTrue();
        assertThat(flags.isOn("UseG1GC")).contains(true);
        assertThat(flags.isOn("UseNUMA")).contains(false);
        assertThat(flags.isOn("UseSerialGC")).isEmpty();
        assertThat(flags.number("MaxHeapSize")).hasValue(67108864);
    }

    @Test
    void readsTheCommandLineUpToTheProgram() {
        JvmFlags flags = JvmFlags.ofArguments(List.of(
                "java",
                "-Xmx2g",
                "-cp",
                "a.jar",
                "-XX:+UseNUMA",
                "-XX:ParallelGCThreads=8",
                "Main",
                "-Xmx1g",
                "-XX:+UseG1GC"));
        assertThat(flags.complete()).isFalse();
        assertThat(flags.number("MaxHeapSize")).hasValue(2L << 30);
        assertThat(flags.number("ParallelGCThreads")).hasValue(8);
        assertThat(flags.isOn("UseNUMA")).contains(true);
        assertThat(flags.isOn("UseG1GC")).isEmpty();
        assertThat(JvmFlags.ofArguments(List.of("java", "-jar", "x.jar", "-Xmx1g"))
                        .values())
                .isEmpty();
        assertThat(JvmFlags.ofArguments(List.of()).values()).isEmpty();
    }
}
