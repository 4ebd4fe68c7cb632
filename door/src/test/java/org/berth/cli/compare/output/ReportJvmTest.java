package org.berth.cli.compare.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReportJvmTest {
    /** The witness is the JVM that runs this test. */
    @Test
    void theJvmOfTheCommandIsTold() {
        assertThat(ReportJvm.of(System.getProperty("java.home") + "/bin/java"))
                .hasValueSatisfying(fact -> assertThat(fact.value()).contains(System.getProperty("java.version")));
        assertThat(ReportJvm.of("sh")).isEmpty();
        assertThat(ReportJvm.of("/nowhere/java")).isEmpty();
    }
}
