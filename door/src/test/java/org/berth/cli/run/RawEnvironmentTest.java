package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bytes are written as ISO 8859-1 here, in which each has a letter; the script testing/command/environments has real commands. */
class RawEnvironmentTest {
    private static final String DAMAGED = "-Da=\uFFFD";

    private static String assignment(String value, String own, String environment) {
        byte[] bytes =
                RawEnvironment.assignment("OPTIONS", value, own, environment.getBytes(StandardCharsets.ISO_8859_1));
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void whatBerthAddsStandsBesideTheCallersBytes() {
        assertThat(assignment("-x " + DAMAGED + " -y", DAMAGED, "A=b\0OPTIONS=-Da=\u00e4\0"))
                .isEqualTo("OPTIONS=-x -Da=\u00e4 -y");
        assertThat(assignment(DAMAGED + " -y", DAMAGED, "OPTIONS=other\0BERTH_CALLER_OPTIONS=-Da=\u00ff\n\0"))
                .as("hidden by the script")
                .isEqualTo("OPTIONS=-Da=\u00ff\n -y");
    }

    @Test
    void aTextIsWrittenAsUtf8() {
        assertThat(assignment("-Da=\u00e4 -y", "-Da=\u00e4", "OPTIONS=other\0"))
                .isEqualTo("OPTIONS=-Da=\u00c3\u00a4 -y");
        assertThat(assignment("-y", "", "")).isEqualTo("OPTIONS=-y");
    }
}
