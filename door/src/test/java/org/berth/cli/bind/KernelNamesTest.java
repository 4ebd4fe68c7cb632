package org.berth.cli.bind;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.placement.ThreadRule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelNamesTest {
    @ParameterizedTest
    @CsvSource({
        "worker-1,         worker-?,          YES",
        "worker-1,         worker-,           NO",
        "worker-1,         worker-1*,         YES",
        "Executor task l,  Executor task*,    YES",
        "Executor task l,  *,                 YES",
        "Executor task l,  Executor task la*, PERHAPS",
        "Executor task l,  Executor task l,   PERHAPS",
        "Executor task l,  Executor task l?,  PERHAPS",
        "Executor task l,  *-7,               PERHAPS",
        "Executor task l,  Executor,          NO",
        "Executor task l,  worker*,           NO",
    })
    void whatFifteenBytesTell(String kernelName, String glob, KernelNames.Answer answer) {
        assertThat(KernelNames.matches(ThreadRule.of(glob), kernelName)).isEqualTo(answer);
    }
}
