package org.berth.observation.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadNamePatternTest {
    /** Kernel names as /proc showed them for threads of these Java names (JDK 17 and 25). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Executor task launch worker* | Executor task l | true", // cut: the rest may follow
                "Executor task launch worker* | Executor task i | false",
                "*worker-?                    | a-much-longer-n | true",
                "GC Thread#*                  | GC Thread#0     | true",
                "GC Thread#?                  | GC Thread#10    | false",
                "*#*                          | G1 Conc#0       | true",
                "*#*                          | java            | false",
                "java                         | java            | true",
                "jav                          | java            | false",
                "java?                        | java            | false",
                "*                            | java            | true",
                "exactly-15-byte              | exactly-15-byte | true",
                "exactly-15-byte-and-more     | exactly-15-byte | true",
                "exactly-16-byte*             | exactly-15-byte | false",
                "a*b*c                        | aXbXbXc         | true",
                "a*b*c                        | aXbXbX          | false",
                "ééééé*                       | ééééééé\uFFFD   | true"
            })
    void mayMatch(String glob, String kernelName, boolean expected) {
        assertThat(ThreadNamePattern.of(glob).mayMatch(kernelName)).isEqualTo(expected);
    }
}
